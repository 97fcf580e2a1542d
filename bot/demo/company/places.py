"""Places of the sample company: countries with their customers' languages, and stores."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Country:
    """A country; `share` weighs its customers, `days` is what a parcel takes to get there."""

    id: int
    code: str
    name: str
    region: str
    share: int
    days: int
    phone: str
    language: str
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampleStore:
    """A store; `pull` weighs its orders among those of its country."""

    id: int
    name: str
    city: str
    country_id: int
    opened_on: date
    area: int | None
    pull: int


COUNTRIES = tuple(
    Country(number, code, name, region, share, days, phone, language, tuple(cities.split(", ")))
    for number, (code, name, region, share, days, phone, language, cities) in enumerate(
        (
            (
                "DE",
                "Germany",
                "Central Europe",
                22,
                2,
                "+49",
                "de",
                "Berlin, Hamburg, Köln, München, Würzburg",
            ),
            ("AT", "Austria", "Central Europe", 6, 2, "+43", "de", "Wien, Graz, Innsbruck, Sankt Pölten"),
            ("CH", "Switzerland", "Central Europe", 7, 3, "+41", "de", "Zürich, Genève, Basel, Bern"),
            ("PL", "Poland", "Central Europe", 5, 3, "+48", "pl", "Warszawa, Kraków, Łódź, Gdańsk"),
            (
                "NL",
                "Netherlands",
                "Western Europe",
                12,
                1,
                "+31",
                "nl",
                "Amsterdam, Utrecht, 's-Hertogenbosch",
            ),
            ("BE", "Belgium", "Western Europe", 4, 2, "+32", "nl", "Antwerpen, Gent, Liège, Brugge"),
            ("FR", "France", "Western Europe", 11, 3, "+33", "fr", "Paris, Lyon, Grenoble, Besançon, Nîmes"),
            (
                "GB",
                "United Kingdom",
                "Western Europe",
                8,
                5,
                "+44",
                "en",
                "London, Bristol, King's Lynn, Glasgow",
            ),
            ("IE", "Ireland", "Western Europe", 4, 5, "+353", "en", "Dublin, Cork, Galway, Dún Laoghaire"),
            ("ES", "Spain", "Southern Europe", 6, 4, "+34", "es", "Madrid, Barcelona, A Coruña, Málaga"),
            ("IT", "Italy", "Southern Europe", 6, 4, "+39", "it", "Milano, Torino, Bologna, L'Aquila"),
            ("SE", "Sweden", "Northern Europe", 4, 3, "+46", "nordic", "Stockholm, Göteborg, Malmö, Östersund"),
            ("NO", "Norway", "Northern Europe", 3, 5, "+47", "nordic", "Oslo, Bergen, Tromsø, Ålesund"),
            ("DK", "Denmark", "Northern Europe", 3, 2, "+45", "nordic", "København, Aarhus, Odense"),
            ("US", "United States", "North America", 6, 7, "+1", "en", "Boulder, Portland, Seattle, Coeur d'Alene"),
            ("CA", "Canada", "North America", 3, 8, "+1", "en", "Vancouver, Montréal, Calgary, St. John's"),
            ("JP", "Japan", "Asia and Middle East", 3, 9, "+81", "ja", "東京, 京都, 札幌, 大阪"),
            ("IL", "Israel", "Asia and Middle East", 1, 9, "+972", "he", "תל אביב, חיפה, ירושלים"),
            ("AE", "United Arab Emirates", "Asia and Middle East", 1, 10, "+971", "ar", "دبي, أبوظبي"),
        ),
        start=1,
    )
)

_BY_CODE = {country.code: country for country in COUNTRIES}


def open_stores(today: date) -> tuple[SampleStore, ...]:
    """Return the stores that are open on `today`; the youngest two opened within the last years."""
    year = today.year
    stores = (
        ("Berlin Mitte", "Berlin", "DE", date(year - 14, 4, 2), 1250, 10),
        ("Hamburg Speicherstadt", "Hamburg", "DE", date(year - 12, 3, 18), 980, 8),
        ("München Isartor", "München", "DE", date(year - 11, 9, 5), 1100, 9),
        ("Köln Ehrenfeld", "Köln", "DE", date(year - 6, 5, 12), 720, 5),
        ("Amsterdam Oost", "Amsterdam", "NL", date(year - 13, 4, 20), 840, 8),
        ("Utrecht Centraal", "Utrecht", "NL", date(year - 5, 6, 1), 610, 5),
        ("Wien Neubau", "Wien", "AT", date(year - 9, 10, 9), 690, 6),
        ("Zürich West", "Zürich", "CH", date(year - 8, 3, 3), 760, 8),
        ("Lyon Part-Dieu", "Lyon", "FR", date(year - 7, 4, 15), 800, 6),
        ("Paris République", "Paris", "FR", date(year - 10, 2, 27), 1020, 9),
        ("Bristol Harbourside", "Bristol", "GB", date(year - 7, 9, 21), 570, 6),
        ("Dublin St. Stephen's Green", "Dublin", "IE", date(year - 6, 3, 11), 540, 6),
        ("København Nørrebro", "København", "DK", date(year - 4, 5, 30), 480, 5),
        ("Barcelona Gràcia", "Barcelona", "ES", date(year - 2, 3, 14), 630, 6),
        ("Milano Navigli", "Milano", "IT", date(year - 1, 9, 7), None, 6),
    )
    return tuple(
        SampleStore(number, name, city, _BY_CODE[code].id, opened, area, pull)
        for number, (name, city, code, opened, area, pull) in enumerate(stores, start=1)
        if opened <= today
    )
