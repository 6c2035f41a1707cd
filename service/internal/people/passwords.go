package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Parameters of argon2id, after RFC 9106 and for a machine with little memory: they are kept with
// each hash, so that they can be changed for the ones to come.
const (
	argonTime    = 2
	argonMemory  = 32 << 10 // KiB
	argonThreads = 1
	argonKey     = 32
	saltSize     = 16
	// hashesAtOnce bounds the memory that hashes under way take.
	hashesAtOnce = 2
)

// Passwords hashes passwords, a few at a time.
type Passwords struct {
	places chan struct{}
	decoy  string // a hash of nothing that anybody knows
}

func NewPasswords() *Passwords {
	p := &Passwords{places: make(chan struct{}, hashesAtOnce)}
	salt := make([]byte, saltSize)
	rand.Read(salt) // never fails
	key := make([]byte, argonKey)
	rand.Read(key)
	p.decoy = encoded(salt, key)
	return p
}

// encoded is a hash as it is stored.
func encoded(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func (p *Passwords) take(ctx context.Context) error {
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// giveBack collects what a hash took before the next one takes as much: otherwise the garbage of several gathers.
func (p *Passwords) giveBack() {
	runtime.GC()
	<-p.places
}

// hash is the hash of a password with a new salt.
func (p *Passwords) hash(ctx context.Context, password string) (string, error) {
	if err := p.take(ctx); err != nil {
		return "", err
	}
	defer p.giveBack()
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return encoded(salt, argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKey)), nil
}

// matches reports whether a password is that of a hash. Without a hash it takes as long, and says no.
func (p *Passwords) matches(ctx context.Context, password string, hash *string) (bool, error) {
	if err := p.take(ctx); err != nil {
		return false, err
	}
	defer p.giveBack()
	stored := p.decoy
	if hash != nil {
		stored = *hash
	}
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("a stored password hash is none")
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false, fmt.Errorf("parameters of a stored password hash: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("salt of a stored password hash: %w", err)
	}
	key, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("stored password hash: %w", err)
	}
	tried := argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(key)))
	return subtle.ConstantTimeCompare(tried, key) == 1 && hash != nil, nil
}
