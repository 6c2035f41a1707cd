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

	"levy/models"
	"levy/service/internal/call"
	"levy/service/limit"
)

// These are the parameters of argon2id by RFC 9106 for a machine with little memory. Each hash is stored
// with its parameters, so they can change for later hashes.
const (
	argonTime    = 2
	argonMemory  = 32 << 10 // KiB
	argonThreads = 1
	argonKey     = 32
	saltSize     = 16
	// hashesAtOnce bounds the memory of concurrent hashes.
	hashesAtOnce = 2
)

// Passwords hashes a few passwords at a time.
type Passwords struct {
	queue  *hashQueue
	decoy  string // hash of an unknown random password
	derive func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte
}

// NewPasswords returns a hasher of passwords.
func NewPasswords() *Passwords {
	p := &Passwords{queue: newHashQueue(hashesAtOnce), derive: argon2.IDKey}
	salt := make([]byte, saltSize)
	rand.Read(salt) // never fails
	key := make([]byte, argonKey)
	rand.Read(key)
	p.decoy = encoded(salt, key)
	return p
}

// encoded returns a hash in its stored form.
func encoded(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// acquire waits for the turn of the caller's address. Errors: that of ctx.
func (p *Passwords) acquire(ctx context.Context) error {
	return p.queue.acquire(ctx, limit.PeerOf(call.Of(ctx).Address))
}

// release frees the memory of a hash before the next one needs it, because otherwise the garbage
// of several hashes accumulates.
func (p *Passwords) release() {
	runtime.GC()
	p.queue.release()
}

// hash returns the hash of a password, with the parameters and the salt of another one, or with a new salt.
func (p *Passwords) hash(ctx context.Context, password string, like *string) (string, error) {
	if err := p.acquire(ctx); err != nil {
		return "", err
	}
	defer p.release()
	if like != nil {
		key, err := p.keyOf(password, *like)
		if err != nil {
			return "", err
		}
		return models.PasswordSalt(*like) + "$" + base64.RawStdEncoding.EncodeToString(key), nil
	}
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return encoded(salt, p.derive([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKey)), nil
}

// matching returns the positions of the hashes that a password has. The hashes of one address have one salt, so this
// takes the time of one hash, also for none of them.
func (p *Passwords) matching(ctx context.Context, password string, hashes []string) (at []int, err error) {
	if err := p.acquire(ctx); err != nil {
		return nil, err
	}
	defer p.release()
	if len(hashes) == 0 {
		_, err = p.keyOf(password, p.decoy)
		return nil, err
	}
	keys := map[string][]byte{} // by salt
	for i, stored := range hashes {
		salt := models.PasswordSalt(stored)
		if keys[salt] == nil {
			if keys[salt], err = p.keyOf(password, stored); err != nil {
				return nil, err
			}
		}
		tried := salt + "$" + base64.RawStdEncoding.EncodeToString(keys[salt])
		if subtle.ConstantTimeCompare([]byte(tried), []byte(stored)) == 1 {
			at = append(at, i)
		}
	}
	return at, nil
}

// keyOf returns the key of a password with the parameters and the salt of a stored hash.
func (p *Passwords) keyOf(password, stored string) ([]byte, error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return nil, fmt.Errorf("a stored password hash is none")
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return nil, fmt.Errorf("parameters of a stored password hash: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return nil, fmt.Errorf("salt of a stored password hash: %w", err)
	}
	length := base64.RawStdEncoding.DecodedLen(len(parts[5]))
	return p.derive([]byte(password), salt, time, memory, threads, uint32(length)), nil //nolint:gosec // a few bytes
}
