package service

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
)

// SealForm encrypts a form for the page that asks its owner to sign in again. The form may have secrets, which no page may
// hold in clear. The owner is a person and a page.
func (s *Service) SealForm(owner string, form []byte) string {
	sealer := s.formSealers(owner)[0]
	nonce := make([]byte, sealer.NonceSize())
	rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(sealer.Seal(nonce, nonce, form, nil))
}

// OpenForm decrypts a form that the page of the same owner has sent back. ok is false for anything else, such as the form of
// another owner.
func (s *Service) OpenForm(owner, sealed string) (form []byte, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil, false
	}
	for _, sealer := range s.formSealers(owner) {
		if n := sealer.NonceSize(); len(raw) > n {
			if form, err = sealer.Open(nil, raw[:n], raw[n:], nil); err == nil {
				return form, true
			}
		}
	}
	return nil, false
}

// formSealers returns the ciphers of the forms of an owner under every master key, the current one first.
func (s *Service) formSealers(owner string) []cipher.AEAD {
	hashes := s.keys.Hashes("form of " + owner)
	sealers := make([]cipher.AEAD, len(hashes))
	for i, hash := range hashes { // 32 bytes: a key of AES-256
		block, err := aes.NewCipher(hash)
		if err == nil {
			sealers[i], err = cipher.NewGCM(block)
		}
		if err != nil {
			panic(err) // the hash has another length
		}
	}
	return sealers
}
