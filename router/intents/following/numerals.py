"""Small numbers, in digits and in the words of four languages."""

_WORDS = """
one ein eine einen un une uno una two zwei deux dos three drei trois tres four vier quatre cuatro five fünf
fuenf cinq cinco six sechs seis seven sieben sept siete eight acht huit ocho nine neun neuf nueve ten zehn dix
diez twelve zwölf douze doce fifteen fünfzehn quinze quince twenty zwanzig vingt veinte twenty-five
fünfundzwanzig thirty dreißig trente treinta fifty fünfzig cinquante cincuenta hundred hundert cent cien
"""

NUMBER = r"(?:(?!(?:19|20)\d\d\b)\d{1,5}|(?:a )?(?:" + "|".join(sorted(_WORDS.split(), key=len, reverse=True)) + "))"
"""A number of rows; no year."""
