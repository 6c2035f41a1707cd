package worker

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// keySeparator separates the parts of the id of a day key. The id of a master key has none.
	keySeparator = "/"
	nonceSize    = 12
	// maxDayKeys bounds the day keys in memory. Others are derived again.
	maxDayKeys = 1024
)

// dayKey seals the payloads of one process on one day. Its id names the master key, the day, and a random text of the
// process. No other process has the key, so a counter serves as a nonce that is never used twice. With random nonces
// one key may seal only 2^32 payloads (NIST SP 800-38D, section 8.3).
type dayKey struct {
	id      string
	day     string
	aead    cipher.AEAD
	counter uint64
}

// dayKeys are the day keys that a codec has in memory.
type dayKeys struct {
	mu      sync.Mutex
	sealing *dayKey
	opening map[string]cipher.AEAD // by id
}

// next returns the key of the day with its id, and a nonce for it. Errors: those of derive.
func (c *Codec) next(now time.Time) (id string, aead cipher.AEAD, nonce []byte, err error) {
	c.days.mu.Lock()
	defer c.days.mu.Unlock()
	day := now.UTC().Format(time.DateOnly)
	if c.days.sealing == nil || c.days.sealing.day != day {
		id := strings.Join([]string{c.current, day, rand.Text()}, keySeparator)
		aead, err := c.derive(id)
		if err != nil {
			return "", nil, nil, err
		}
		c.days.sealing = &dayKey{id: id, day: day, aead: aead}
	}
	key := c.days.sealing
	key.counter++
	nonce = make([]byte, nonceSize)
	binary.BigEndian.PutUint64(nonce[nonceSize-8:], key.counter)
	return key.id, key.aead, nonce, nil
}

// opener returns the day key with an id. Errors: ErrUndecodable if its master key is not known.
func (c *Codec) opener(id string) (cipher.AEAD, error) {
	c.days.mu.Lock()
	defer c.days.mu.Unlock()
	if aead := c.days.opening[id]; aead != nil {
		return aead, nil
	}
	aead, err := c.derive(id)
	if err != nil {
		return nil, err
	}
	if c.days.opening == nil || len(c.days.opening) >= maxDayKeys {
		c.days.opening = map[string]cipher.AEAD{}
	}
	c.days.opening[id] = aead
	return aead, nil
}

// derive returns the day key with an id. The id names its master key. Errors: ErrUndecodable if that is not known.
func (c *Codec) derive(id string) (cipher.AEAD, error) {
	master, _, _ := strings.Cut(id, keySeparator)
	secret := c.secrets[master]
	if secret == nil {
		return nil, fmt.Errorf("%w: no key %q", ErrUndecodable, master)
	}
	bytes, err := hkdf.Key(sha256.New, secret, nil, "levy payload key of a day v2\x00"+id, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("payload key %q: %w", id, err)
	}
	block, err := aes.NewCipher(bytes)
	if err != nil {
		return nil, fmt.Errorf("payload key %q: %w", id, err)
	}
	return cipher.NewGCM(block)
}
