# Counts days.

# is_leap YEAR: succeeds in a leap year.
is_leap() {
    [ $(($1 % 4)) -eq 0 ] && { [ $(($1 % 100)) -ne 0 ] || [ $(($1 % 400)) -eq 0 ]; }
}

# days_in_month YEAR MONTH: prints how many days a month has.
days_in_month() {
    case $2 in
        4 | 6 | 9 | 11) echo 30 ;;
        2) if is_leap "$1"; then echo 29; else echo 28; fi ;;
        *) echo 31 ;;
    esac
}

# day_of_year DATE: prints how many days of the year are over at the end of a date.
day_of_year() {
    year=$(date_part year "$1")
    month=$(date_part month "$1")
    day=$(date_part day "$1")
    before=0
    m=1
    while [ "$m" -lt "$month" ]; do
        before=$((before + $(days_in_month "$year" "$m")))
        m=$((m + 1))
    done
    echo $((before + $day))
}

# days_left DATE: prints how many days of the year follow a date.
days_left() {
    if is_leap "$(date_part year "$1")"; then whole=366; else whole=365; fi
    echo $((whole - $(day_of_year "$1")))
}
