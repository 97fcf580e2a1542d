"""How large the result of a function can get: a number between two bounds, and a text of so many bytes at most.

`FUNCTIONS` has a rule for each function that makes more than it is given, or a number out of something else. All other
functions make a text no longer than what they are given, and a number of which nothing is known.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

INFINITY = math.inf


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which numbers a value is, and how many bytes its text or list has at most.

    `is_data` where a table's cells are in it: then it says what is ordinary, as the cells are not known.
    """

    low: float
    high: float
    size: float
    is_data: bool = False


NUMBER_BYTES = 40
"""A number as a text, or in a list."""

LONG_NUMBER_BYTES = 150_000
"""A number of PostgreSQL that a power made: it may have so many digits."""

CELL = Bound(-1_000, 1_000, 100, is_data=True)
"""An ordinary cell of a table."""

FLAG = Bound(0, 1, 5)
NOTHING = Bound(0, 0, 0)
TABLE_ROWS = 1_000
"""Rows of a table, or of a group in it, that are taken for ordinary."""


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


Rule = Callable[[list[Bound]], Bound]


def number_between(low: float, high: float, *made_of: Bound) -> Bound:
    """Return the bound of a number, which has all its digits as far as it is made of numbers that are written out."""
    if math.isnan(low) or math.isnan(high):
        low, high = -INFINITY, INFINITY
    is_data, most = _is_data(made_of), max(-low, high)
    is_long = most == INFINITY and (not is_data or any(magnitude(each) == INFINITY for each in made_of))
    return Bound(low, high, LONG_NUMBER_BYTES if is_long else NUMBER_BYTES * (10 if most >= 10**30 else 1), is_data)


def text_of(size: float, made_of: list[Bound]) -> Bound:
    """Return the bound of a text; as a number it has no more digits than the text has."""
    if _is_data(made_of):
        return replace(hull([CELL, *made_of]), size=size)
    most = 10.0**size if size < 300 else INFINITY
    return Bound(-most, most, size)


def hull(bounds: list[Bound]) -> Bound:
    """Return the bound of a value that is one of several."""
    if not bounds:
        return NOTHING
    return Bound(
        min(each.low for each in bounds),
        max(each.high for each in bounds),
        max(each.size for each in bounds),
        _is_data(bounds),
    )


def sizes_of(bounds: list[Bound]) -> float:
    """Return how many bytes several values have together."""
    return sum(each.size for each in bounds)


def _is_data(bounds: "list[Bound] | tuple[Bound, ...]") -> bool:
    return any(each.is_data for each in bounds)


def magnitude(bound: Bound) -> float:
    """Return the largest absolute value."""
    return max(abs(bound.low), abs(bound.high))


# Arithmetic.


def times(left: float, right: float) -> float:
    """Multiply; nothing, endlessly often, is nothing."""
    return 0.0 if 0 in (left, right) else left * right


def corners(operation: Callable[[float, float], float], left: Bound, right: Bound) -> Bound:
    """Return the bound of an operation that is largest and smallest at the ends."""
    found = [operation(*ends) for ends in product((left.low, left.high), (right.low, right.high))]
    return number_between(min(found), max(found), left, right)


def added(left: Bound, right: Bound) -> Bound:
    """Bound a sum."""
    return number_between(left.low + right.low, left.high + right.high, left, right)


def subtracted(left: Bound, right: Bound) -> Bound:
    return added(left, replace(right, low=-right.high, high=-right.low))


def multiplied(left: Bound, right: Bound) -> Bound:
    return corners(times, left, right)


def divided(left: Bound, right: Bound) -> Bound:
    """Bound a quotient; a cell that something is divided by is taken for a whole number."""
    if right.low <= 0 <= right.high:
        if not right.is_data:
            return number_between(-INFINITY, INFINITY, left, right)
        return symmetric(magnitude(left), left, right)
    return rounded(corners(lambda this, that: 0.0 if math.isinf(that) else this / that, left, right))


def rounded(given: Bound) -> Bound:
    """Bound what may have become a whole number."""
    low = math.floor(given.low) if math.isfinite(given.low) else given.low
    high = math.ceil(given.high) if math.isfinite(given.high) else given.high
    return replace(given, low=float(low), high=float(high))


def remainder(left: Bound, right: Bound) -> Bound:
    return symmetric(min(magnitude(left), magnitude(right)), left, right)


def raised(base: Bound, exponent: Bound) -> Bound:
    """Bound a power."""
    most = max(magnitude(base), 1.0)
    if exponent.low < 0 and min(abs(base.low), abs(base.high)) < 1:
        return symmetric(INFINITY, base, exponent)
    return symmetric(power_of(most, exponent.high), base, exponent)


def power_of(base: float, exponent: float) -> float:
    """Return a power of a number from 1 on, endless where it has no float."""
    try:
        return float(base ** max(exponent, 0.0))
    except OverflowError:
        return INFINITY


def shifted(left: Bound, right: Bound) -> Bound:
    return symmetric(times(magnitude(left), power_of(2.0, right.high)), left, right)


def of_bits(left: Bound, right: Bound) -> Bound:
    """Bound a combination of the bits of two numbers; those of a negative one may be read as a large one."""
    return symmetric(2 * (magnitude(left) + magnitude(right)) + 1 if min(left.low, right.low) >= 0 else 2.0**64)


def symmetric(most: float, *made_of: Bound) -> Bound:
    return number_between(-most, most, *made_of)


# Texts that are made longer: by their lengths and numbers.


def _count(bounds: list[Bound]) -> float:
    return max((each.high for each in bounds), default=0.0)


def _repeated(given: list[Bound]) -> Bound:
    return text_of(times(max(_first(given).size, 1), max(_count(given[1:]), 0)), given)


def _padded(given: list[Bound]) -> Bound:
    return text_of(max(4 * _count(given[1:]), 0), given)


def _spaces(given: list[Bound]) -> Bound:
    return text_of(max(_count(given), 0), given)


def replaced(given: list[Bound], old_bytes: float) -> Bound:
    """Bound a text in which a text of so many bytes at least is replaced."""
    whole, _, new, *_ = (*given, *[NOTHING] * 3)
    return text_of(times(whole.size, max(new.size / max(old_bytes, 1), 1)), given)


def _replaced_by_pattern(given: list[Bound]) -> Bound:
    whole, _, new, *_ = (*given, *[NOTHING] * 3)
    return text_of(times(whole.size + 1, 1 + new.size), given)


def _parted(given: list[Bound]) -> Bound:
    """Bound a text that has a text between all the items of a list, each of which takes two bytes at least."""
    return text_of(times(_first(given).size + 1, 1 + max((each.size for each in given[1:]), default=0) / 2), given)


def _product(given: list[Bound]) -> Bound:
    return text_of(math.prod(max(each.size, 1) for each in given), given)


def joined(given: list[Bound]) -> Bound:
    """Bound a text that holds all that is given."""
    return text_of(sizes_of(given), given)


def _separated(given: list[Bound]) -> Bound:
    return text_of(sizes_of(given) + _first(given).size * len(given), given)


def listed(given: list[Bound]) -> Bound:
    """Bound a list, or an object, of what is given; its items as numbers are theirs."""
    size = sum(max(each.size, 8) + 2 for each in given)
    return replace(hull(given), size=size)


def _expanded(factor: int) -> Rule:
    return lambda given: text_of(
        (min(factor, 2) if _is_data(given) else factor) * sizes_of(given) + NUMBER_BYTES, given
    )


def _indented(given: list[Bound]) -> Bound:
    size, levels = sizes_of(given), 1 if _is_data(given) else 7_000
    return text_of(size * (1 + 4 * min(size, levels)), given)


def _part(given: list[Bound]) -> Bound:
    """Bound a part of a text; its last number, where there is one, may say how long it is."""
    size = _first(given).size
    if len(given) > 2 and given[2].high >= 0:
        size = min(size, 4 * given[2].high)
    return text_of(size, given[:1])


def _prefix(given: list[Bound]) -> Bound:
    return text_of(
        min(_first(given).size, 4 * magnitude(given[1])) if len(given) > 1 else _first(given).size, given[:1]
    )


def _short(given: list[Bound]) -> Bound:
    return text_of(200, given)


# Numbers.


def _first(given: list[Bound]) -> Bound:
    return given[0] if given else NOTHING


def _length(given: list[Bound]) -> Bound:
    return number_between(0, 8 * sizes_of(given) + 1, *given)


def _at_most(most: float) -> Rule:
    return lambda given: symmetric(most, *given)


def _greatest(given: list[Bound]) -> Bound:
    return symmetric(1 + 2 * max(map(magnitude, given), default=0), *given)


def _rounded_to(given: list[Bound]) -> Bound:
    """Bound a number of so many decimals; PostgreSQL writes out each of them."""
    decimals = magnitude(given[1]) if len(given) > 1 and not given[1].is_data else 0
    return replace(_greatest(given), size=NUMBER_BYTES + min(decimals, 16_383))


def _absolute(given: list[Bound]) -> Bound:
    return number_between(0, magnitude(_first(given)), *given)


def _power(given: list[Bound]) -> Bound:
    return raised(given[0], given[1]) if len(given) == 2 else symmetric(INFINITY)


def _exponential(given: list[Bound]) -> Bound:
    return number_between(0, power_of(math.e, _first(given).high), *given)


def _endless(given: list[Bound]) -> Bound:
    return symmetric(INFINITY)


def _of_two(operation: Callable[[Bound, Bound], Bound]) -> Rule:
    return lambda given: operation(given[0], given[1]) if len(given) == 2 else symmetric(INFINITY)


_RULES: Mapping[Rule, str] = {
    _repeated: "repeat replicate",
    _padded: "lpad rpad str",
    _spaces: "space zeroblob",
    _replaced_by_pattern: "regexp_replace",
    _product: "list_select array_select ts_headline highlight snippet array_replace",
    _parted: "array_to_string list_aggregate list_aggr array_aggregate array_aggr aggregate list_string_agg",
    _expanded(64): "export_set",
    _expanded(4): "translate",
    joined: "concat overlay stuff insert make_set json_set json_insert json_replace jsonb_set jsonb_insert json_modify "
    "json_merge_patch json_merge_preserve json_patch json_mergepatch",
    _separated: "concat_ws",
    listed: "array list_value list_pack struct_pack struct_insert struct_concat struct_update row map array_value "
    "tuple struct array_append array_prepend array_cat array_concat list_append list_prepend list_concat list_cat "
    "array_push_back array_push_front list_zip array_zip map_concat map_from_entries tomap range_merge",
    _expanded(6): "json_array json_object json_build_array json_build_object jsonb_build_array jsonb_build_object "
    "to_json to_jsonb row_to_json array_to_json json_quote quote quote_literal quote_ident quote_nullable quotename "
    "string_escape json jsonb regexp_escape jsonarray jsonobject json_merge from_json json_transform",
    _expanded(8): "hex to_hex bin encode to_base64 base64 url_encode rawtohex dump from_base64 to_tsvector to_tsquery "
    "plainto_tsquery websearch_to_tsquery phraseto_tsquery unistr weight_string weightstring char chr nchar",
    _expanded(18): "normalize nfc_normalize unaccent casefold date_format strftime to_char time_format",
    _expanded(24): "string_to_array string_split str_split split str_split_regex string_split_regex "
    "regexp_split_to_array regexp_extract_all regexp_matches tsvector_to_array parse_path json_keys",
    _indented: "json_pretty jsonb_pretty",
    _part: "substring substr mid substrb substring_grapheme",
    _prefix: "left right left_grapheme right_grapheme",
    _short: "md5 sha sha1 sha2 sha224 sha256 sha384 sha512 hashbytes soundex metaphone uuid uuidv4 uuidv7 typeof "
    "gen_random_uuid newid sys_guid pg_typeof get_current_timestamp now date_trunc datetrunc date_add date_sub "
    "date_bin "
    "dateadd datesub adddate subdate add_months last_day eomonth date datetime time make_date make_timestamp addtime "
    "to_date to_timestamp str_to_date strptime timestampadd datefromparts next_day time_bucket date_bucket age "
    "timediff "
    "convert_tz timezone subtime from_unixtime",
    _length: "length len char_length character_length octet_length bit_length lengthb lengthc datalength strlen vsize "
    "position instr strpos charindex locate patindex strposition field find_in_set regexp_count regexp_instr "
    "levenshtein array_length list_count cardinality json_array_length jsonb_array_length json_length json_depth "
    "array_position list_position list_indexof array_indexof array_upper array_ndims length_grapheme",
    _at_most(1): "sign sin cos tanh erf erfc percent_rank cume_dist signbit isnull rand corr",
    _at_most(2**63): "random",
    _at_most(64): "bit_count",
    _at_most(800): "ln log2 log10 atan asin acos asinh acosh atan2 atn2 radians lgamma pi",
    _at_most(2**32): "ascii unicode ord get_byte",
    _rounded_to: "round trunc",
    _greatest: "ceil ceiling floor truncate sqrt cbrt even least greatest mod div bitand to_number "
    "fmod width_bucket ntile round_even roundbankers bucket",
    hull: "coalesce nullif ifnull nvl nvl2 isnull if iif case min max avg mean median any_value first last "
    "arbitrary mode first_value last_value lag lead nth_value cast trycast convert try_cast try_convert "
    "percentile_cont "
    "percentile_disc quantile quantile_cont quantile_disc arg_max arg_min max_by min_by decode elt choose likely "
    "unlikely likelihood int4 int8 int2 float8 float4 numeric integer abs_value to_clob collate paren "
    "constant_or_null element_at array_extract list_extract list_element list_max list_min list_first list_last",
    _absolute: "abs",
    _power: "power pow",
    _exponential: "exp",
    _at_most(INFINITY): "factorial gamma",
    _endless: "tan cot sinh cosh degrees log hash product lcm conv",
    _of_two(added): "add",
    _of_two(multiplied): "multiply",
    _of_two(subtracted): "subtract",
    _of_two(divided): "divide fdiv",
}
FUNCTIONS: Mapping[str, Rule] = {name: rule for rule, names in _RULES.items() for name in names.split()}

AGGREGATES = _names(
    "string_agg group_concat listagg array_agg list json_agg jsonb_agg json_object_agg jsonb_object_agg json_arrayagg "
    "json_objectagg json_group_array json_group_object wm_concat collect histogram range_agg groupconcat jsonarrayagg "
    "jsonobjectagg approx_top_k json_group_structure"
)
"""Aggregates that keep all that they are given."""

COUNTS = _names("count count_star countif count_if count_big row_number rank dense_rank regr_count ntile")
SUMS = _names("sum total fsum sumkahan kahan_sum")

SERIES = frozenset({"generate_series", "range"})
PIECES = _names(
    "unnest explode string_to_table regexp_split_to_table string_split json_each json_tree json_each_text jsonb_each "
    "jsonb_each_text json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text "
    "json_object_keys jsonb_object_keys jsonb_path_query regexp_matches generate_subscripts openjson json_table "
    "jsontable json_to_record json_to_recordset jsonb_to_record jsonb_to_recordset"
)
"""Functions that make rows out of what is in a text or a list."""

PATHS = _names(
    "jsonb_path_query_array jsonb_path_query_first jsonb_path_exists jsonb_path_match jsonbpathexists matchagainst "
    "json_query json_exists json_value jsonvalue json_extract jsonextract jsonextractscalar json_contains_path "
    "json_search json_length"
)
"""What follows a path of JSON; in PostgreSQL and MySQL it takes memory, or time that nobody can end."""

PAIRS = _names(
    "damerau_levenshtein locate instr position strposition json_overlaps json_contains json_merge json_merge_patch "
    "json_merge_preserve"
)
"""Functions that look at each pair of two signs or items; those of MariaDB do not look at the clock meanwhile."""

ROW_PATHS = _names("jsonb_path_query jsontable json_table")

_WIDTH = re.compile(r"\d+")
_VALUES = re.compile(r"%|\{")


def formatted(patterns: list[str], values: list[Bound]) -> Bound:
    """Bound a text made by one of the patterns; each value may be as wide as any number in the pattern says."""
    size = 0.0
    value, widest = max((each.size for each in values), default=0.0), max(_count(values), -min(_low(values), 0))
    for pattern in patterns:
        widths = sum(float(number[:300]) for number in _WIDTH.findall(pattern))
        places = len(_VALUES.findall(pattern))
        asked = pattern.count("*") + len(re.findall(r":[^{}]*\{", pattern))
        size = max(size, 4 * len(pattern) + widths + places * (value + 400) + times(asked, widest))
    return text_of(size, values)


def _low(bounds: list[Bound]) -> float:
    return min((each.low for each in bounds), default=0.0)


_NUMBERS = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[oObB][0-7_]+|\d[\d_]*(?:\.\d*)?(?:[eE]\+?\d+)?|\.\d+(?:[eE]\+?\d+)?|inf", re.I
)


def literal_text(text: str) -> Bound:
    """Bound a text that is written out; as a number it is at most the largest that is in it."""
    most = max(map(_float_of, _NUMBERS.findall(text)), default=0.0)
    return Bound(-most, most, len(text.encode(errors="replace")))


def literal_number(text: str) -> Bound:
    """Bound a number that is written out."""
    value = _float_of(text)
    exponent = text.lower().partition("e")[2] if text[:2].lower() not in ("0x", "0b") else ""
    return replace(number_between(value, value), size=max(NUMBER_BYTES, len(text) + abs(int(exponent or 0))))


def _float_of(text: str) -> float:
    try:
        if text[:1] == "0" and text[1:2].isalpha() and text[1:2].lower() in "xob":
            return float(int(text, 0))
        return float(text)
    except (ValueError, OverflowError):
        return INFINITY
