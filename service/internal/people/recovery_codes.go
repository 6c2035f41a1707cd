package people

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"levy/models"
)

// recoveryBytes is the size of a recovery code. Its 80 bits are too many to guess, and are written as four groups
// of four.
const recoveryBytes = 10

// newRecoveryCodes returns new codes, which are displayed once, and their hashes, which are stored.
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

// readRecoveryCode reads a typed code in any letter case, with or without dashes and spaces.
// ok is false for a text without the form of a code.
func readRecoveryCode(typed string) (code string, ok bool) {
	code = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(typed))
	raw, err := base32.StdEncoding.DecodeString(code)
	return code, err == nil && len(raw) == recoveryBytes
}

// recoveryText returns the text of which the hash of a code is computed.
func recoveryText(userID, code string) string { return "recovery code " + userID + " " + code }
