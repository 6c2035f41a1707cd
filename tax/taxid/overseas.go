package taxid

import "strings"

// ird is the number of New Zealand for all its taxes. Its check digit is modulo 11, with a second list of weights.
func ird(s string) bool {
	if len(s) == 8 {
		s = "0" + s
	}
	if !matches(s, "#########") || number(s) < 10_000_000 {
		return false
	}
	for _, weights := range [][]int{{3, 2, 7, 6, 5, 4, 3, 2}, {7, 4, 3, 2, 5, 2, 7, 6}} {
		if check := (11 - weighted(s, weights...)%11) % 11; check < 10 {
			return check == digit(s, 8)
		}
	}
	return false
}

// corporate is the number of a company in Japan, with the T of a registration for the consumption tax or without.
func corporate(s string) bool {
	s = strings.TrimPrefix(s, "T")
	return matches(s, "#############") && 9-weighted(s[1:], 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1)%9 == digit(s, 0)
}

// gstin is the number of a business in India: state, PAN, entity and a check character modulo 36.
func gstin(s string) bool {
	if !matches(s[:min(len(s), 12)], "##?????####?") || len(s) != 15 || s[13] != 'Z' {
		return false
	}
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range 14 {
		value := strings.IndexByte(alphabet, s[i])
		if value < 0 {
			return false
		}
		product := value * (1 + i%2)
		sum += product/36 + product%36
	}
	return alphabet[(36-sum%36)%36] == s[14]
}

// gstSG is the number of a business in Singapore. Its forms have no published check.
func gstSG(s string) bool {
	for _, form := range []string{"########?", "#########?", "?##??####?", "M#########", "M########?", "MR########", "MB########"} {
		if matches(s, form) {
			return true
		}
	}
	return false
}

// businessKR is the number of a business in South Korea.
func businessKR(s string) bool {
	if !matches(s, "##########") {
		return false
	}
	sum := weighted(s, 1, 3, 7, 1, 3, 7, 1, 3, 5) + digit(s, 8)*5/10
	return (10-sum%10)%10 == digit(s, 9)
}

// rfc is the number of a taxpayer in Mexico: letters, a day and three characters.
func rfc(s string) bool {
	letters := len(s) - 9
	if letters != 3 && letters != 4 || !matches(s[:letters], "????"[:letters]) || !matches(s[letters:letters+6], "######") {
		return false
	}
	month, day := number(s[letters+2:letters+4]), number(s[letters+4:letters+6])
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// vkn is the tax number of Turkey.
func vkn(s string) bool {
	if !matches(s, "##########") {
		return false
	}
	sum := 0
	for i := range 9 {
		n := (digit(s, i) + 9 - i) % 10
		if n != 9 {
			n = n << (9 - i) % 9
		}
		sum += n
	}
	return (10-sum%10)%10 == digit(s, 9)
}

// cnpj is the number of a company in Brazil.
func cnpj(s string) bool {
	if !matches(s, "##############") {
		return false
	}
	check := func(sum int) int {
		if rest := sum % 11; rest > 1 {
			return 11 - rest
		}
		return 0
	}
	return check(weighted(s, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s, 12) &&
		check(weighted(s, 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == digit(s, 13)
}
