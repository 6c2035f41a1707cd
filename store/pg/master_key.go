package pg

import (
	"sync/atomic"

	"levy/internal/secret"
)

// masterKey is what a process knows of the master key with which it hashes.
type masterKey struct {
	current string      // empty for a process without master keys
	newest  atomic.Bool // the current key is the newest one of the installation
}

func newMasterKey(ring *secret.Ring) *masterKey {
	m := &masterKey{}
	if ring != nil {
		m.current = ring.Current()
	}
	return m
}

// IsWorker reports whether the process may not read how people sign in.
func (db *DB) IsWorker() bool { return db.role == RoleWorker }

// MasterKeyID returns the id of the master key of new hashes; nil without master keys.
func (db *DB) MasterKeyID() *string {
	if db.master.current == "" {
		return nil
	}
	return &db.master.current
}

// HashesAgain says whether the current master key is the newest one of the installation. Only then a hash under another
// key is replaced when it is used. Otherwise processes before and after a change of the key would replace those of each
// other.
func (db *DB) HashesAgain(newest bool) { db.master.newest.Store(newest) }

// NewestMasterKeyID returns the id of the current master key if it is the newest one of the installation. It returns nil
// if that is not known.
func (db *DB) NewestMasterKeyID() *string {
	if !db.master.newest.Load() {
		return nil
	}
	return db.MasterKeyID()
}
