package people

import (
	"context"

	"levy/contract"
	"levy/internal/secret"
	"levy/service/internal/call"
)

// StopMailsPath is the path of the page on which the address in an e-mail turns off its kind. The token follows it.
const StopMailsPath = "/unsubscribe/"

// stopMailsHashed precedes the token of such an address, so that it is no valid token of anything else.
const stopMailsHashed = "mail stop "

// StopMailsHash returns the hash of the token of an address that turns off a kind of e-mail.
func StopMailsHash(keys *secret.KeyHasher, token string) []byte {
	return keys.Hash(stopMailsHashed + token)
}

// StopMails turns off a kind of e-mail by the address at the end of one. An unknown token counts as a failed
// authentication of the network address.
func (o *Operations) StopMails(ctx context.Context, r contract.StopMailsRequest) (contract.StoppedMails, error) {
	c := call.Of(ctx)
	giveBack, wait := o.failures.Try(c.Address)
	if wait > 0 {
		return contract.StoppedMails{}, tooManySignIns(wait)
	}
	kind, err := o.deps.People.StopMails(ctx, o.keys.Hashes(stopMailsHashed+r.Body.Token), c.RequestID)
	if err == nil {
		giveBack()
	}
	return contract.StoppedMails{Kind: contract.EmailKind(kind)}, err
}
