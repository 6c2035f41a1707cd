package deps

import (
	"context"
	"time"

	"levy/models"
)

// People are the records of persons and their sessions, which belong to the installation. A method
// with an organization id concerns the people of that organization; an empty id means staff.
type People interface {
	// FindSession finds the person of a session. Errors: models.ErrNotFound.
	FindSession(ctx context.Context, hashes [][]byte) (models.User, error)
	// BeginSession begins a session of a person, and audits the proof.
	BeginSession(ctx context.Context, u *models.User, hash []byte, by models.SignInProof, requestID string) error
	// UseSignIn records that a sign-in at the OpenID provider came back. first is false if it did before.
	UseSignIn(ctx context.Context, hash []byte, ends time.Time) (first bool, err error)
	// ProveSession records that the actor has proved again who uses a session, and by which proof. Errors:
	// models.ErrNotFound.
	ProveSession(ctx context.Context, actor models.Actor, hashes [][]byte, by models.SignInProof) error
	// RememberDevice records that an account has signed in by a device.
	RememberDevice(ctx context.Context, userID string, hash []byte) error
	// DeviceAccounts returns the ids of the accounts that have signed in by a device.
	DeviceAccounts(ctx context.Context, hashes [][]byte) ([]string, error)
	// EndSession ends a session at once.
	EndSession(ctx context.Context, hashes [][]byte) error
	// Accounts reads the accounts of an address that sign in with a password.
	Accounts(ctx context.Context, email string) ([]models.User, error)
	// Account reads an account. Errors: models.ErrNotFound.
	Account(ctx context.Context, id string) (models.User, error)
	// PersonOfLink reads the account of a link. Errors: models.ErrUnauthenticated.
	PersonOfLink(ctx context.Context, link [][]byte) (models.User, error)
	// ChangePassword replaces the password hash of the actor by one with the same salt. It ends the sessions other than the
	// acting one, which has the hashes. Errors: models.ErrChangedMeanwhile if the password is not the one before.
	ChangePassword(ctx context.Context, actor models.Actor, session [][]byte, before, after string) error
	// PasswordOfLink returns a password hash of the address of a link, whose salt a new password has; nil for none.
	// Errors: models.ErrUnauthenticated.
	PasswordOfLink(ctx context.Context, hashes [][]byte) (*string, error)
	// UseLink sets the password of the account of a link. A link works once. Errors: models.ErrUnauthenticated,
	// models.ErrChangedMeanwhile for another salt than that of the address.
	UseLink(ctx context.Context, hashes [][]byte, passwordHash, requestID string) (models.User, error)
	// SecondFactor reads the second factor of a person. Errors: models.ErrNotFound.
	SecondFactor(ctx context.Context, userID string) (models.SecondFactor, error)
	// BeginSecondFactor writes a second factor that waits for its first code. Errors: models.ErrForbidden
	// for a person who has one.
	BeginSecondFactor(ctx context.Context, f models.SecondFactor) error
	// UseCode records the step of a used code. It replaces the recovery codes if recovery has hashes of new ones.
	// Errors: models.ErrUnauthenticated for a used code.
	UseCode(ctx context.Context, actor models.Actor, f models.SecondFactor, step int64, recovery [][]byte) error
	// UseRecoveryCode uses up a recovery code of the actor. Errors: models.ErrUnauthenticated.
	UseRecoveryCode(ctx context.Context, actor models.Actor, hashes [][]byte) error
	// Passkeys lists the passkeys of a person, the oldest first.
	Passkeys(ctx context.Context, userID string) ([]models.Passkey, error)
	// Passkey reads a passkey. Errors: models.ErrNotFound.
	Passkey(ctx context.Context, credentialID []byte) (models.Passkey, error)
	// AddPasskey writes a passkey of the actor. session has the hashes of the session that adds it. Errors:
	// models.ErrUnauthenticated for one that ended meanwhile, *models.LimitError, *models.DuplicateError (passkey).
	AddPasskey(ctx context.Context, actor models.Actor, session [][]byte, p models.Passkey) error
	// UsePasskey records that the actor has used a passkey, with the number of signatures that the device tells. Errors:
	// models.ErrUnauthenticated for a number that goes back.
	UsePasskey(ctx context.Context, actor models.Actor, credentialID []byte, counter int64) error
	// RemovePasskey removes a passkey of the actor, if it exists, and ends the sessions other than the acting one, which
	// has the hashes.
	RemovePasskey(ctx context.Context, actor models.Actor, session [][]byte, credentialID []byte) error
	// ChangePreferences changes the preferences of the actor, and returns them.
	ChangePreferences(ctx context.Context, actor models.Actor, change func(*models.Preferences)) (models.Preferences, error)
	// StopMails turns off the kind of e-mail whose address has one of the hashes, and returns the kind. Errors: models.ErrNotFound.
	StopMails(ctx context.Context, hashes [][]byte, requestID string) (models.MailKind, error)
	// SavedViews lists the saved views of a person, by list and name.
	SavedViews(ctx context.Context, userID string) ([]models.SavedView, error)
	// SaveView saves a view of the actor. Errors: *models.LimitError.
	SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error
	// RenameView renames a view of the actor. Errors: models.ErrNotFound, *models.DuplicateError (name).
	RenameView(ctx context.Context, actor models.Actor, list, name, to string) error
	// SharedViews lists the views that others share with a person, by list and name.
	SharedViews(ctx context.Context, userID string) ([]models.SharedView, error)
	// ShareView shares a view of the actor with the people of an organization; nil makes it private. Errors:
	// models.ErrNotFound, *models.LimitError.
	ShareView(ctx context.Context, actor models.Actor, list, name string, with *string) error
	// RemoveView removes a view of the actor, if it exists.
	RemoveView(ctx context.Context, actor models.Actor, list, name string) error
	// CreateUser writes an account, the link and the membership unless it is nil. Errors: *models.DuplicateError (email).
	CreateUser(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte) error
	// CreateUserByMail is CreateUser for an invitation by e-mail, whose link is made when the mail is sent.
	CreateUserByMail(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership) error
	// InviteByLink invites the first admin of an organization by an onboarding link, which is the actor. linkHash is nil for
	// an invitation by e-mail. A repeated call changes nothing. Errors: models.ErrUnauthenticated,
	// models.ErrNotFirstAdmin, models.ErrLinkInvitesNobody.
	InviteByLink(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte) error
	// FirstAdmin returns the address of a person of an organization; "" for none. It leaves out a person whom the link with
	// the hash invited and who has not signed in.
	FirstAdmin(ctx context.Context, scope models.Scope, linkHash []byte) (string, error)
	// UserOfIdentity finds the person of an account at the OpenID provider. Errors: models.SignInRefusal.
	UserOfIdentity(ctx context.Context, who models.Identity, requestID string) (models.User, error)
	// ListUsers lists the people of an organization, by name.
	ListUsers(ctx context.Context, organizationID string, page models.Page) (models.List[models.User], error)
	// User reads a person of an organization. Errors: models.ErrNotFound.
	User(ctx context.Context, organizationID, id string) (models.User, error)
	// UpdateUser reads a person, calls change and writes the result. Errors: models.ErrNotFound, models.ErrLastAdmin,
	// and those of change.
	UpdateUser(ctx context.Context, actor models.Actor, organizationID, id string,
		change models.UserChange) (models.User, error)
	// RemoveUser removes the role of a person in an organization. Errors: models.ErrNotFound, models.ErrLastAdmin.
	RemoveUser(ctx context.Context, actor models.Actor, organizationID, id string) error
}

// IdentityProvider is the OpenID provider at which people sign in.
type IdentityProvider interface {
	// Begin returns the address of the provider for a sign-in. again asks people who are signed in there to sign in
	// again. Errors: models.SignInRefusal.
	Begin(ctx context.Context, state, nonce, verifier string, again bool) (string, error)
	// Identify returns the identity of a person who returned with a code. Errors: models.SignInRefusal.
	Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error)
}
