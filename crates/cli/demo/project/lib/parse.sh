# Takes dates apart. A date is written YYYY-MM-DD.

# date_part PART DATE: prints the year, the month or the day of a date.
date_part() {
    case $1 in
        year) part=${2%%-*} ;;
        month) part=${2#*-} part=${part%-*} ;;
        day) part=${2##*-} ;;
    esac
    echo "$part"
}
