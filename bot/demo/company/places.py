"""Places of the sample company: countries with their customers' languages, names of people there, and stores."""

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
            ("DE", "Germany", "Central Europe", 22, 2, "+49", "de", "Berlin, Hamburg, Köln, München, Würzburg"),
            ("AT", "Austria", "Central Europe", 6, 2, "+43", "de", "Wien, Graz, Innsbruck, Sankt Pölten"),
            ("CH", "Switzerland", "Central Europe", 7, 3, "+41", "de", "Zürich, Genève, Basel, Bern"),
            ("PL", "Poland", "Central Europe", 5, 3, "+48", "pl", "Warszawa, Kraków, Łódź, Gdańsk"),
            ("NL", "Netherlands", "Western Europe", 12, 1, "+31", "nl", "Amsterdam, Utrecht, 's-Hertogenbosch"),
            ("BE", "Belgium", "Western Europe", 4, 2, "+32", "nl", "Antwerpen, Gent, Liège, Brugge"),
            ("FR", "France", "Western Europe", 11, 3, "+33", "fr", "Paris, Lyon, Grenoble, Besançon, Nîmes"),
            ("GB", "United Kingdom", "Western Europe", 8, 5, "+44", "en", "London, Bristol, King's Lynn, Glasgow"),
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


FIRST_AND_LAST_NAMES: dict[str, tuple[list[str], list[str]]] = {
    language: (first.split(), family.split())
    for language, first, family in (
        (
            "de",
            "Anna Björn Clara Dieter Eva Felix Greta Hannes Ingrid Jürgen Katrin Lukas Marlene Nils Petra Stefan Zoë",
            "Bauer Becker Böhm Fischer Günther Hofmann Keller König Krüger Lange Müller Neumann Richter Schäfer "
            "Schmidt Schröder Vogel Weiß",
        ),
        (
            "fr",
            "Amélie Benoît Chloé Didier Élodie François Gaëlle Hélène Inès Jérôme Léa Mathieu Noémie Océane Pierre Zoé",
            "Bernard Bonnet Chevalier D'Angelo Dubois Fontaine Garnier Girard L'Hôpital Lefèvre Mercier Moreau Perrin "
            "Renard Roussel Vidal",
        ),
        (
            "nl",
            "Anouk Bram Daan Emma Femke Jeroen Joost Lotte Maaike Pieter Roos Sanne Sven Thijs Willem Zoë",
            "Bakker Bos Brouwer Dekker Hendriks Hoekstra Jacobs Janssen Kuipers Meijer Mulder Peeters Smits Visser Vos",
        ),
        (
            "en",
            "Aoife Brendan Charlotte Declan Emily Fiona George Hannah Isaac Jack Karen Liam Megan Niamh Oliver Rachel "
            "Seán Thomas Victoria William",
            "Adams Baker Clarke Davies Evans Fletcher Green Harris Kavanagh Lewis McCarthy Murphy O'Brien O'Connor "
            "O'Neill Parker Quinn Reid Turner Walker",
        ),
        (
            "es",
            "Álvaro Begoña Carmen Diego Elena Francisco Íñigo Javier Lucía María Nuria Pablo Raúl Sofía Tomás Verónica",
            "Álvarez Castro Delgado Fernández García Gómez Hernández Iglesias Jiménez López Martínez Muñoz Núñez Ortiz "
            "Peña Rodríguez",
        ),
        (
            "it",
            "Alessia Bruno Chiara Davide Elisa Fabio Giulia Lorenzo Matteo Niccolò Paola Riccardo Sara Tommaso",
            "Bianchi Colombo Conti D'Amico De'Medici Esposito Ferrari Gallo Greco Mancini Marino Ricci Romano Russo",
        ),
        (
            "pl",
            "Agnieszka Błażej Ewa Grzegorz Jakub Katarzyna Łukasz Małgorzata Paweł Stanisław Wojciech Zofia",
            "Dąbrowska Jabłoński Kamińska Kowalczyk Król Lewandowski Mazur Nowak Piątek Szymańska Wiśniewski Wójcik",
        ),
        (
            "nordic",
            "Åsa Bjørn Elin Freja Gustav Håkon Ingrid Jens Kåre Linnéa Maja Nils Øyvind Rasmus Sigrid Søren",
            "Andersson Berg Dahl Eriksson Hansen Jørgensen Kristiansen Larsen Lindström Nilsson Nygård Olsen "
            "Østergaard Sjöberg Solberg Þórsson",
        ),
        (
            "ja",
            "美咲 翔太 さくら 大輔 陽子 健一 花子 拓也 結衣 蓮 直樹 真由美",
            "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 松本",
        ),
        ("he", "נועה דוד תמר יוסף שירה אורי מאיה איתן", "כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא"),
        ("ar", "ليلى أحمد فاطمة يوسف مريم عمر نور خالد", "الحداد المنصوري العلي حسن النجار الهاشمي صالح القاسم"),
    )
}

SURNAME_FIRST = frozenset({"ja"})


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
