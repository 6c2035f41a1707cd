package pg

import "time"

// Use is how the connections of this process are used.
type Use struct {
	InUse, Idle, Most int32
	Waited            time.Duration // since the start, of all that had to wait for one
}

// Use tells how the connections of this process are used.
func (db *DB) Use() Use {
	stat := db.pool.Stat()
	return Use{
		InUse: stat.AcquiredConns(), Idle: stat.IdleConns(), Most: stat.MaxConns(), Waited: stat.EmptyAcquireWaitTime(),
	}
}
