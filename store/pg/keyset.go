package pg

// Key is an organization's name for something of its own: an external id, an id.
type Key struct{ OrganizationID, Name string }

// KeyOf is the key of a name.
func KeyOf(organizationID, name string) Key {
	return Key{OrganizationID: organizationID, Name: name}
}

// KeySet collects keys once each, as the two parallel arrays that a set-based
// look-up takes.
type KeySet struct {
	seen                   map[Key]bool
	OrganizationIDs, Names []string
}

// Add adds a key, unless it is there.
func (k *KeySet) Add(organizationID, name string) {
	at := Key{organizationID, name}
	if k.seen[at] {
		return
	}
	if k.seen == nil {
		k.seen = map[Key]bool{}
	}
	k.seen[at] = true
	k.OrganizationIDs = append(k.OrganizationIDs, organizationID)
	k.Names = append(k.Names, name)
}
