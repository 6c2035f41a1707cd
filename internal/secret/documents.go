package secret

import "context"

// DocumentKey is the key of one document as it is stored: a document has a key of its own, so that what tax
// law keeps is readable when the data key of its organization is destroyed.
type DocumentKey struct {
	OrganizationID, DocumentID string
	WrappedKey
}

// DocumentKeys are the stored keys of documents. Package store implements it.
type DocumentKeys interface {
	// DocumentsWrappedBefore returns up to limit keys that are not wrapped by the master key named.
	DocumentsWrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]DocumentKey, error)
	// RewrapDocuments replaces the wrapping of keys, from[i] by to[i], where nobody else did.
	RewrapDocuments(ctx context.Context, from, to []DocumentKey) error
}

// OpenerOfDocuments opens keys of documents. Vault implements it.
type OpenerOfDocuments interface {
	// DocumentKey opens the key of a document. Errors: ErrUnreadable.
	DocumentKey(stored DocumentKey) (*DataKey, error)
}

// NewDocumentKey makes the key of a document, and wraps it with the current master key.
func (v *Vault) NewDocumentKey(organizationID, documentID string) (*DataKey, WrappedKey) {
	key := newKey()
	return &DataKey{organizationID, newAEAD(key)}, v.wrapper.wrap(organizationID, keyOf(documentID), key)
}

// DocumentKey opens the key of a document. Errors: ErrUnreadable.
func (v *Vault) DocumentKey(stored DocumentKey) (*DataKey, error) {
	plain, err := v.wrapper.unwrap(stored.OrganizationID, keyOf(stored.DocumentID), stored.WrappedKey)
	if err != nil {
		return nil, err
	}
	return &DataKey{stored.OrganizationID, newAEAD(plain)}, nil
}

// keyOf is the field to which the wrapped key of a document is tied.
func keyOf(documentID string) string { return "key of " + documentID }

// RotateDocuments is Rotate for the keys of documents.
func (v *Vault) RotateDocuments(ctx context.Context, keys DocumentKeys) (rotated int, err error) {
	for {
		from, err := keys.DocumentsWrappedBefore(ctx, v.wrapper.current, rewrapBatch)
		if err != nil || len(from) == 0 {
			return rotated, err
		}
		to := make([]DocumentKey, len(from))
		for i, k := range from {
			plain, err := v.wrapper.unwrap(k.OrganizationID, keyOf(k.DocumentID), k.WrappedKey)
			if err != nil {
				return rotated, err
			}
			to[i] = k
			to[i].WrappedKey = v.wrapper.wrap(k.OrganizationID, keyOf(k.DocumentID), plain)
		}
		if err := keys.RewrapDocuments(ctx, from, to); err != nil {
			return rotated, err
		}
		rotated += len(from)
	}
}
