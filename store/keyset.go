package store

// key is an organization's name for something of its own: an external id, an id.
type key struct{ organizationID, name string }

// keySet collects keys once each, as the two parallel arrays that a set-based
// look-up takes.
type keySet struct {
	seen                   map[key]bool
	organizationIDs, names []string
}

func (k *keySet) add(organizationID, name string) {
	at := key{organizationID, name}
	if k.seen[at] {
		return
	}
	if k.seen == nil {
		k.seen = map[key]bool{}
	}
	k.seen[at] = true
	k.organizationIDs = append(k.organizationIDs, organizationID)
	k.names = append(k.names, name)
}
