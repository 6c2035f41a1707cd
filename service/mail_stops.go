package service

import (
	"context"

	"levy/internal/secret"
	"levy/models"
)

// StopMailsPath is the path of the page on which the address in an e-mail turns off its kind. The token follows it.
const StopMailsPath = "/unsubscribe/"

// stopMailsHashed precedes the token of such an address, so that it is no valid token of anything else.
const stopMailsHashed = "mail stop "

// StopMailsHash returns the hash of the token of an address that turns off a kind of e-mail.
func StopMailsHash(keys *secret.KeyHasher, token string) []byte {
	return keys.Hash(stopMailsHashed + token)
}

// StopMails turns off a kind of e-mail by the token of the address in one, and returns the kind. The person can do the same
// by SetPreferences. Errors: those of CallerByKey.
func (s *Service) StopMails(ctx context.Context, token string) (kind models.MailKind, err error) {
	hashes, peer := s.keys.Hashes(stopMailsHashed+token), peerOf(ctx)
	err = s.lookUp(peer.Address, hashes[0], func() (err error) {
		kind, err = s.deps.People.StopMails(ctx, hashes, peer.RequestID)
		return err
	})
	if err != nil {
		return "", s.refuseCaller(peer, err)
	}
	return kind, nil
}
