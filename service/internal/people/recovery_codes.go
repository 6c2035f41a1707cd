package people

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"levy/models"
)

// recoveryBytes are those of a recovery code: nobody guesses 80 bits. Written down they are four groups of four.
const recoveryBytes = 10

// newRecoveryCodes makes the codes that a person gets, as they are shown once, and the hashes that are kept.
func (o *Operations) newRecoveryCodes(userID string) (codes []string, hashes [][]byte) {
	for range models.RecoveryCodes {
		raw := make([]byte, recoveryBytes)
		rand.Read(raw) // never fails
		code := base32.StdEncoding.EncodeToString(raw)
		hashes = append(hashes, o.keys.Hash(recoveryText(userID, code)))
		codes = append(codes, strings.Join([]string{code[:4], code[4:8], code[8:12], code[12:]}, "-"))
	}
	return codes, hashes
}

// readRecoveryCode reads what somebody has typed, in any letter case, with or without dashes and spaces; not ok for
// what has not the form of a recovery code.
func readRecoveryCode(typed string) (code string, ok bool) {
	code = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(typed))
	raw, err := base32.StdEncoding.DecodeString(code)
	return code, err == nil && len(raw) == recoveryBytes
}

// recoveryText is what is hashed of a code.
func recoveryText(userID, code string) string { return "recovery code " + userID + " " + code }
