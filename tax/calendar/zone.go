package calendar

// zones are the time zones in which the days of an authority begin and end: those of its seat. They are by country, or
// by country and state if the country has several.
var zones = map[string]string{
	"AT": "Europe/Vienna", "BE": "Europe/Brussels", "BG": "Europe/Sofia", "CH": "Europe/Zurich", "CY": "Asia/Nicosia",
	"CZ": "Europe/Prague",
	"DE": "Europe/Berlin", "DK": "Europe/Copenhagen", "EE": "Europe/Tallinn", "ES": "Europe/Madrid",
	"FI": "Europe/Helsinki", "FR": "Europe/Paris",
	"GB": "Europe/London", "GR": "Europe/Athens", "HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin",
	"IT": "Europe/Rome",
	"LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga", "MT": "Europe/Malta", "NL": "Europe/Amsterdam",
	"NO": "Europe/Oslo",
	"PL": "Europe/Warsaw", "PT": "Europe/Lisbon", "RO": "Europe/Bucharest", "SE": "Europe/Stockholm",
	"SI": "Europe/Ljubljana", "SK": "Europe/Bratislava",
	"ZZ_EU": "Europe/Brussels",

	"AE": "Asia/Dubai", "AU": "Australia/Sydney", "BR": "America/Sao_Paulo", "IN": "Asia/Kolkata", "JP": "Asia/Tokyo",
	"KR": "Asia/Seoul", "MX": "America/Mexico_City", "NZ": "Pacific/Auckland", "SA": "Asia/Riyadh", "SG": "Asia/Singapore",
	"TR": "Europe/Istanbul", "ZA": "Africa/Johannesburg",

	"CA": "America/Toronto", "CA-AB": "America/Edmonton", "CA-BC": "America/Vancouver", "CA-MB": "America/Winnipeg",
	"CA-NB": "America/Moncton",
	"CA-NL": "America/St_Johns", "CA-NS": "America/Halifax", "CA-NT": "America/Yellowknife", "CA-NU": "America/Iqaluit",
	"CA-PE": "America/Halifax",
	"CA-SK": "America/Regina", "CA-YT": "America/Whitehorse",

	"US": "America/New_York", "US-AK": "America/Anchorage", "US-AL": "America/Chicago", "US-AR": "America/Chicago",
	"US-AZ": "America/Phoenix",
	"US-CA": "America/Los_Angeles", "US-CO": "America/Denver", "US-HI": "Pacific/Honolulu", "US-IA": "America/Chicago",
	"US-ID": "America/Boise",
	"US-IL": "America/Chicago", "US-IN": "America/Indiana/Indianapolis", "US-KS": "America/Chicago",
	"US-LA": "America/Chicago", "US-MI": "America/Detroit",
	"US-MN": "America/Chicago", "US-MO": "America/Chicago", "US-MS": "America/Chicago", "US-MT": "America/Denver",
	"US-ND": "America/Chicago",
	"US-NE": "America/Chicago", "US-NM": "America/Denver", "US-NV": "America/Los_Angeles", "US-OK": "America/Chicago",
	"US-OR": "America/Los_Angeles",
	"US-PR": "America/Puerto_Rico", "US-SD": "America/Chicago", "US-TN": "America/Chicago", "US-TX": "America/Chicago",
	"US-UT": "America/Denver",
	"US-WA": "America/Los_Angeles", "US-WI": "America/Chicago", "US-WY": "America/Denver",
}

// ZoneOf returns the name of the time zone of the authority of a state, in the IANA database. It is the zone of the
// seat of the authority, else that of the country. It is UTC for countries without taxes in the content.
func ZoneOf(country, state string) string {
	// guard: calendar: a state has the zone of its own seat
	if zone, ok := zones[country+"-"+state]; ok {
		return zone
	}
	if zone, ok := zones[country]; ok {
		return zone
	}
	return "UTC"
}
