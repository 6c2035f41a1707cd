package api

import (
	"context"

	"levy/internal/secret"
	"levy/models"
)

// People are the records of persons and their sessions. They belong to the installation: only
// methods that name an organization are about one, and an empty one means staff.
type People interface {
	// FindSession finds the person of a session. Errors: models.ErrNotFound.
	FindSession(ctx context.Context, hashes [][]byte) (models.User, error)
	// BeginSession begins a session of a person.
	BeginSession(ctx context.Context, u *models.User, hash []byte, requestID string) error
	// EndSession ends a session at once.
	EndSession(ctx context.Context, hashes [][]byte) error
	// UserByEmail reads a person. Errors: models.ErrNotFound.
	UserByEmail(ctx context.Context, email string) (models.User, error)
	// UseLink sets the password of whose link it is, once. Errors: models.ErrUnauthenticated.
	UseLink(ctx context.Context, hashes [][]byte, passwordHash, requestID string) (models.User, error)
	// SecondFactor reads that of a person. Errors: models.ErrNotFound.
	SecondFactor(ctx context.Context, userID string) (models.SecondFactor, error)
	// BeginSecondFactor writes one that waits for its first code. Errors: models.ErrForbidden for a person
	// that has one.
	BeginSecondFactor(ctx context.Context, f models.SecondFactor) error
	// UseCode notes the step of a code that was used, and replaces the recovery codes where there are hashes of new
	// ones. Errors: models.ErrUnauthenticated for a used one.
	UseCode(ctx context.Context, actor models.Actor, f models.SecondFactor, step int64, recovery [][]byte) error
	// UseRecoveryCode uses up a recovery code of the actor. Errors: models.ErrUnauthenticated.
	UseRecoveryCode(ctx context.Context, actor models.Actor, hashes [][]byte) error
	// SavedViews lists those of a person, by list and name.
	SavedViews(ctx context.Context, userID string) ([]models.SavedView, error)
	// SaveView saves one of the actor. Errors: *models.LimitError.
	SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error
	// RenameView gives one of the actor another name. Errors: models.ErrNotFound, *models.DuplicateError (name).
	RenameView(ctx context.Context, actor models.Actor, list, name, to string) error
	// RemoveView removes one of the actor; one that is gone stays so.
	RemoveView(ctx context.Context, actor models.Actor, list, name string) error
	// CreateUser writes a person, the membership unless it is nil, and the link. Errors:
	// *models.DuplicateError (email).
	CreateUser(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte) error
	// UserOfIdentity finds whose an account at the OpenID provider is. Errors: models.SignInRefusal.
	UserOfIdentity(ctx context.Context, who models.Identity, requestID string) (models.User, error)
	// ListUsers lists the people of an organization, by name.
	ListUsers(ctx context.Context, organizationID string, page models.Page) (models.List[models.User], error)
	// User reads a person of an organization. Errors: models.ErrNotFound.
	User(ctx context.Context, organizationID, id string) (models.User, error)
	// UpdateUser reads a person, lets the change alter it and writes it. Errors: models.ErrNotFound,
	// models.ErrLastAdmin, those of the change.
	UpdateUser(ctx context.Context, actor models.Actor, organizationID, id string,
		change models.UserChange) (models.User, error)
	// RemoveUser takes away the role in an organization. Errors: models.ErrNotFound, models.ErrLastAdmin.
	RemoveUser(ctx context.Context, actor models.Actor, organizationID, id string) error
}

// Secrets of sessions and links are hashed apart from keys: none can stand for another.
func (s *Server) sessionHashes(token string) [][]byte { return SessionHashes(s.keys, token) }

// SessionHashes are the hashes of the token of a session under every master key.
func SessionHashes(keys *secret.KeyHasher, token string) [][]byte {
	return keys.Hashes("session " + token)
}

// LinkHash is the hash of the token of a sign-in link.
func LinkHash(keys *secret.KeyHasher, token string) []byte { return keys.Hash("sign-in link " + token) }
