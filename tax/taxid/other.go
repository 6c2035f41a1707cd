package taxid

import "strings"

func vatGB(s string) bool {
	switch {
	case matches(s, "GD###"):
		return number(s[2:]) < 500
	case matches(s, "HA###"):
		return number(s[2:]) >= 500
	case matches(s, "############"):
		s = s[:9]
	case !matches(s, "#########"):
		return false
	}
	switch (weighted(s, 8, 7, 6, 5, 4, 3, 2) + number(s[7:])) % 97 {
	case 0:
		return s[:7] != "0000000"
	case 42, 55: // the later series
		return s[0] != '0'
	}
	return false
}

func vatCH(s string) bool {
	s = strings.TrimPrefix(s, "CHE")
	for _, suffix := range []string{"MWST", "TVA", "IVA"} {
		s = strings.TrimSuffix(s, suffix)
	}
	return matches(s, "#########") && (11-weighted(s, 5, 4, 3, 2, 7, 6, 5, 4)%11)%11 == digit(s, 8)
}

func vatNO(s string) bool {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "NO"), "MVA")
	return matches(s, "#########") && (11-weighted(s, 3, 2, 7, 6, 5, 4, 3, 2)%11)%11 == digit(s, 8)
}

// abn is the Australian Business Number.
func abn(s string) bool {
	return matches(s, "###########") && s[0] != '0' && (weighted(s, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)-10)%89 == 0
}
