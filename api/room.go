package api

import "sync"

// room is something of which all calls together hold only so much, and those of one
// organization no more than a share: so that whoever takes all that it can get leaves
// the others theirs.
type room struct {
	share int64 // of one organization

	mu   sync.Mutex
	free int64
	held map[string]int64 // by organization; only those that hold anything
}

func newRoom(size, share int64) *room {
	return &room{share: share, free: size, held: map[string]int64{}}
}

// take takes n of the room for an organization, until it is given back once. It does
// not wait: false says that there is no room, for anybody or for this organization.
func (r *room) take(organizationID string, n int64) (giveBack func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > r.free || r.held[organizationID]+n > r.share {
		return nil, false
	}
	r.free -= n
	r.held[organizationID] += n
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.free += n
		if r.held[organizationID] -= n; r.held[organizationID] == 0 {
			delete(r.held, organizationID)
		}
	}, true
}
