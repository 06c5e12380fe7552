#!/bin/sh
# Checks the almanac. Prints one line a check, and fails when one of them does.

cd "$(dirname "$0")" || exit 2
. ./lib/parse.sh
. ./lib/calendar.sh
. ./lib/words.sh

count=0
failed=0

# check NAME EXPECTED COMMAND...: runs a command and compares what it prints.
check() {
    name=$1
    expected=$2
    shift 2
    got=$("$@" 2>&1)
    count=$((count + 1))
    if [ "$got" = "$expected" ]; then
        echo "ok $count - $name"
    else
        failed=$((failed + 1))
        echo "not ok $count - $name"
        echo "#   expected: $expected"
        echo "#   got:      $got"
    fi
}

check "a date has a year" 2026 date_part year 2026-12-24
check "a date has a month" 12 date_part month 2026-12-24
check "a date has a day" 24 date_part day 2026-12-24
check "April has 30 days" 30 days_in_month 2026 4
check "February 1900 was short" 28 days_in_month 1900 2
check "February 2000 was long" 29 days_in_month 2000 2
check "New Year is the first day" 1 day_of_year 2026-01-01
check "Women's Day is day 67" 67 day_of_year 2026-03-08
check "Bastille Day is day 195" 195 day_of_year 2026-07-14
check "a leap year has 366 days" 366 day_of_year 2024-12-31
check "nothing is left on New Year's Eve" 0 days_left 2026-12-31
check "months have names" "31 October" day_and_month 2026-10-31

if [ "$failed" -gt 0 ]; then
    echo "$failed of $count checks failed."
    exit 1
fi
echo "All $count checks passed."
