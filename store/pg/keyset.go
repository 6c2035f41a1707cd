package pg

// Key is a name that is unique within an organization, such as an id or an external id.
type Key struct{ OrganizationID, Name string }

// KeyOf returns the key of a name.
func KeyOf(organizationID, name string) Key {
	return Key{OrganizationID: organizationID, Name: name}
}

// KeyRows are keys as rows of a statement: {key} with organization_id and name.
var KeyRows = RowsOf("key",
	Col("organization_id", "text", func(k *Key) *string { return &k.OrganizationID }),
	Col("name", "text", func(k *Key) *string { return &k.Name }),
)

// KeySet collects each key once, for a set-based look-up.
type KeySet struct {
	seen map[Key]bool
	Keys []Key
}

// Add adds a key if the set lacks it.
func (k *KeySet) Add(organizationID, name string) {
	at := Key{organizationID, name}
	if k.seen[at] {
		return
	}
	if k.seen == nil {
		k.seen = map[Key]bool{}
	}
	k.seen[at] = true
	k.Keys = append(k.Keys, at)
}
