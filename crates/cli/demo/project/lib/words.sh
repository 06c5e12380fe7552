# Puts dates into words.

# month_name MONTH: prints the name of a month.
month_name() {
    echo "January February March April May June July August September October November December" |
        cut -d ' ' -f "$1"
}

# day_and_month DATE: prints for example "14 July".
day_and_month() {
    echo "$(date_part day "$1") $(month_name "$(date_part month "$1")")"
}
