#!/bin/sh
# Says which day of the year a date is: almanac.sh YYYY-MM-DD

here=$(dirname "$0")
. "$here/lib/parse.sh"
. "$here/lib/calendar.sh"
. "$here/lib/words.sh"

if [ $# -ne 1 ]; then
    echo "usage: almanac.sh YYYY-MM-DD" >&2
    exit 2
fi

printf '%s %s is day %s of the year; %s days are left.\n' \
    "$(day_and_month "$1")" "$(date_part year "$1")" \
    "$(day_of_year "$1")" "$(days_left "$1")"
