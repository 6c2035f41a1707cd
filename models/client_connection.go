package models

import "time"

// ClientConnection describes the call that has an authority file a return: its person, device and connection. Some authorities
// require it of each submission. It is personal data: it is taken for those authorities alone, and forgotten with the answer.
type ClientConnection struct {
	At      time.Time `json:"at"`                // when the call came, UTC
	Browser bool      `json:"browser,omitempty"` // a person at the console, or at the API by a session; else a program with a key
	UserID  string    `json:"user_id"`           // of the person, or of the key
	Address string    `json:"address,omitempty"` // public address of the client; "" if it is not known
	Port    int       `json:"port,omitempty"`    // of the client at that address; 0 if it is not known
	Device  string    `json:"device,omitempty"`  // UUID that follows from the cookie of the browser; "" without one
	// UserAgent is how the browser names itself; "" if it does not.
	UserAgent string `json:"user_agent,omitempty"`
	// Offset is the time zone that the person has chosen, as minutes east of UTC at that time; nil if none is chosen.
	Offset *int `json:"offset,omitempty"`
	// Factor is what the person proved the session with besides a password, and FactorAt when; "" if it is not known.
	Factor   ProofKind `json:"factor,omitempty"`
	FactorAt time.Time `json:"factor_at,omitzero"`
}
