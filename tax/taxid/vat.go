package taxid

import "strings"

// unionVAT holds the tests of the VAT numbers of the member states of the
// European Union, without the prefix of the country.
var unionVAT = map[string]func(string) bool{
	"AT": func(s string) bool {
		if !matches(s, "U########") {
			return false
		}
		sum := 4
		for i := 1; i < 8; i++ {
			d := digit(s, i)
			if i%2 == 0 {
				d = d*2/10 + d*2%10
			}
			sum += d
		}
		return (10-sum%10)%10 == digit(s, 8)
	},
	"BE": func(s string) bool {
		if len(s) == 9 {
			s = "0" + s
		}
		return matches(s, "##########") && s[0] <= '1' && 97-number(s[:8])%97 == number(s[8:])
	},
	"BG": vatBG,
	"CY": func(s string) bool {
		if !matches(s, "########?") || s[:2] == "12" {
			return false
		}
		sum := 0
		for i := range 8 {
			d := digit(s, i)
			if i%2 == 0 {
				d = [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21}[d]
			}
			sum += d
		}
		return byte('A'+sum%26) == s[8]
	},
	"CZ": vatCZ,
	"DE": func(s string) bool { return matches(s, "#########") && s[0] != '0' && mod11and10(s) },
	"DK": func(s string) bool {
		return matches(s, "########") && s[0] != '0' && weighted(s, 2, 7, 6, 5, 4, 3, 2, 1)%11 == 0
	},
	"EE": func(s string) bool { return matches(s, "#########") && weighted(s, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0 },
	"ES": vatES,
	"FI": func(s string) bool {
		return matches(s, "########") && weighted(s, 7, 9, 10, 5, 8, 4, 2, 1)%11 == 0
	},
	"FR": vatFR,
	"GR": func(s string) bool {
		return matches(s, "#########") &&
			s != "000000000" && weighted(s, 256, 128, 64, 32, 16, 8, 4, 2)%11%10 == digit(s, 8)
	},
	"HR": func(s string) bool { return matches(s, "###########") && mod11and10(s) },
	"HU": func(s string) bool {
		return matches(s, "########") && weighted(s, 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0
	},
	"IE": vatIE,
	"IT": func(s string) bool {
		office := 0
		if matches(s, "###########") && s[:7] != "0000000" && luhn(s) {
			office = number(s[7:10])
		}
		return office >= 1 && office <= 100 || office == 120 || office == 121 || office == 888 || office == 999
	},
	"LT": vatLT,
	"LU": func(s string) bool { return matches(s, "########") && number(s[:6])%89 == number(s[6:]) },
	"LV": vatLV,
	"MT": func(s string) bool {
		return matches(s, "########") && s[0] != '0' && (weighted(s, 3, 4, 6, 7, 8, 9)+number(s[6:]))%37 == 0
	},
	"NL": vatNL,
	"PL": func(s string) bool {
		return matches(s, "##########") && weighted(s, 6, 5, 7, 2, 3, 4, 5, 6, 7)%11 == digit(s, 9)
	},
	"PT": func(s string) bool {
		if !matches(s, "#########") || s[0] == '0' {
			return false
		}
		check := 11 - weighted(s, 9, 8, 7, 6, 5, 4, 3, 2)%11
		return check%11%10 == digit(s, 8)
	},
	"RO": func(s string) bool {
		if len(s) < 2 || len(s) > 10 || s[0] == '0' {
			return false
		}
		s = strings.Repeat("0", 10-len(s)) + s
		return matches(s, "##########") && weighted(s, 7, 5, 3, 2, 1, 7, 5, 3, 2)*10%11%10 == digit(s, 9)
	},
	"SE": func(s string) bool {
		return matches(s, "############") && s[10:] >= "01" && s[10:] <= "94" && luhn(s[:10])
	},
	"SI": func(s string) bool {
		if !matches(s, "########") || s[0] == '0' {
			return false
		}
		check := 11 - weighted(s, 8, 7, 6, 5, 4, 3, 2)%11
		return check != 11 && check%10 == digit(s, 7)
	},
	"SK": func(s string) bool {
		return matches(s, "##########") &&
			(s[0] != '0' && strings.Contains("234789", s[2:3]) && number(s)%11 == 0 || personNumber(s))
	},
}

func vatBG(s string) bool {
	switch {
	case matches(s, "#########"):
		check := weighted(s, 1, 2, 3, 4, 5, 6, 7, 8) % 11
		if check == 10 {
			check = weighted(s, 3, 4, 5, 6, 7, 8, 9, 10) % 11
		}
		return check%10 == digit(s, 8)
	case matches(s, "##########"): // persons, foreigners, others
		other := 11 - weighted(s, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11
		born := (number(s[2:4])-1)%20 < 12 && s[2:4] != "00" && isDay(s[4:6])
		return born && weighted(s, 2, 4, 8, 5, 10, 9, 7, 3, 6)%11%10 == digit(s, 9) ||
			weighted(s, 21, 19, 17, 13, 11, 9, 7, 3, 1)%10 == digit(s, 9) ||
			other != 10 && other%11 == digit(s, 9)
	}
	return false
}

func vatCZ(s string) bool {
	switch {
	case matches(s, "########"): // companies
		check := 11 - weighted(s, 8, 7, 6, 5, 4, 3, 2)%11
		return s[0] != '9' && check%10 == digit(s, 7)
	case matches(s, "#########") && s[0] == '6': // persons with a special number
		check := weighted(s[1:], 8, 7, 6, 5, 4, 3, 2) % 11
		return [...]int{8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8}[check] == digit(s, 8)
	case matches(s, "#########"): // birth numbers until 1953 have no check digit
		return birthNumber(s) && number(s[:2]) <= 53
	case matches(s, "##########"):
		return personNumber(s)
	}
	return false
}

// birthNumber checks month and day in a Czech or Slovak birth number; the month
// also tells the sex and a second series.
func birthNumber(s string) bool {
	month := number(s[2:4]) % 50
	return (month >= 1 && month <= 12 || month >= 21 && month <= 32) && isDay(s[4:6])
}

// personNumber checks a Czech or Slovak birth number given since 1954.
func personNumber(s string) bool {
	return birthNumber(s) && (number(s)%11 == 0 || number(s[:9])%11 == 10 && s[9] == '0')
}

func isDay(s string) bool { return s >= "01" && s <= "31" }

func vatES(s string) bool {
	if len(s) != 9 {
		return false
	}
	const letters = "TRWAGMYFPDXBNJZSQVHLCKE"
	switch first := s[0]; {
	case first >= '0' && first <= '9': // citizens
		return matches(s, "########?") && letters[number(s[:8])%23] == s[8]
	case strings.IndexByte("XYZ", first) >= 0: // foreigners
		return matches(s[1:], "#######?") &&
			letters[(strings.IndexByte("XYZ", first)*10_000_000+number(s[1:8]))%23] == s[8]
	case strings.IndexByte("KLM", first) >= 0: // citizens without a card
		return matches(s[1:], "#######?") && letters[number(s[1:8])%23] == s[8]
	}
	if strings.IndexByte("ABCDEFGHJNPQRSUVW", s[0]) < 0 || !matches(s[1:8], "#######") {
		return false
	}
	sum := 0 // companies
	for i := 1; i < 8; i++ {
		d := digit(s, i)
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	check := (10 - sum%10) % 10
	asDigit, asLetter := s[8] == byte('0'+check), s[8] == "JABCDEFGHI"[check]
	switch {
	case strings.IndexByte("ABEH", s[0]) >= 0:
		return asDigit
	case strings.IndexByte("NPQRSW", s[0]) >= 0:
		return asLetter
	}
	return asDigit || asLetter
}

func vatFR(s string) bool {
	const key = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ" // without I and O
	if len(s) != 11 || !matches(s[2:], "#########") || strings.IndexByte(key, s[0]) < 0 || strings.IndexByte(key,
		s[1]) < 0 {
		return false
	}
	if s[2:5] != "000" && !luhn(s[2:]) { // 000 is Monaco
		return false
	}
	if matches(s[:2], "##") {
		return (12+3*(number(s[2:])%97))%97 == number(s[:2])
	}
	first, second := strings.IndexByte(key, s[0]), strings.IndexByte(key, s[1])
	check := first*34 + second - 100
	if first < 10 {
		check = first*24 + second - 10
	}
	return (number(s[2:])+1+check/11)%11 == check%11
}

func vatIE(s string) bool {
	const letters = "WABCDEFGHIJKLMNOPQRSTUV"
	switch {
	case matches(s, "#######?"):
		return letters[weighted(s, 8, 7, 6, 5, 4, 3, 2)%23] == s[7]
	case matches(s, "#######??"):
		second := strings.IndexByte(letters, s[8])
		return second >= 0 && letters[(weighted(s, 8, 7, 6, 5, 4, 3, 2)+9*second)%23] == s[7]
	case len(s) == 8 && (s[1] >= 'A' && s[1] <= 'Z' || s[1] == '+' || s[1] == '*'): // until 2013
		old := "0" + s[2:7] + s[:1] + s[7:]
		return matches(old, "#######?") && letters[weighted(old, 8, 7, 6, 5, 4, 3, 2)%23] == s[7]
	}
	return false
}

func vatLT(s string) bool {
	n := len(s)
	if !matches(s, "#########") && !matches(s, "############") || s[n-2] != '1' {
		return false
	}
	first, second := 0, 0
	for i := range n - 1 {
		first += digit(s, i) * (i%9 + 1)
		second += digit(s, i) * ((i+2)%9 + 1)
	}
	check := first % 11
	if check == 10 {
		check = second % 11 % 10
	}
	return check == digit(s, n-1)
}

func vatLV(s string) bool {
	switch {
	case !matches(s, "###########"):
		return false
	case s[0] > '3': // companies
		return weighted(s, 9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1)%11 == 3
	case s[:2] != "32" && (!isDay(s[:2]) || s[2:4] < "01" ||
		s[2:4] > "12"): // since 2017 persons have no date of birth in it
		return false
	}
	return (1+weighted(s, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9))%11%10 == digit(s, 10)
}

func vatNL(s string) bool {
	if !matches(s, "#########B##") || s[10:] == "00" {
		return false
	}
	// Sole traders have numbers since 2020 that say nothing about the person
	// and are checked with the letters of the whole number.
	whole := "2321" + s[:9] + "11" + s[10:]
	rest := 0
	for i := range len(whole) {
		rest = (rest*10 + digit(whole, i)) % 97
	}
	return rest == 1 || weighted(s, 9, 8, 7, 6, 5, 4, 3, 2)%11 == digit(s, 8)
}
