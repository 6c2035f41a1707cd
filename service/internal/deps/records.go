package deps

import (
	"context"

	"levy/models"
)

// CreditNotes are the records of credit notes and tax refunds.
type CreditNotes interface {
	// AcceptRefund writes a credit note or tax refund with all its effects on the original. The draft then contains the
	// stored record. waits means that the original must be processed first. Errors: models.ErrNotFound,
	// *models.ReferencesNotFoundError, *models.ProductsNotFoundError, models.ErrOriginalIsRefund,
	// *models.OriginalNotCommittedError, *models.InvalidError, *models.CreditExceedsError, *models.DuplicateError,
	// models.ErrUnavailable, models.ErrOutcomeUnknown.
	AcceptRefund(ctx context.Context, scope models.Scope, draft *models.RefundDraft) (waits bool, err error)
	// ChangeRefund reads a refund of a sale, calls change and writes a new version, all in one database transaction.
	// Errors: models.ErrNotFound, *models.LockedError, *models.TransitionError, those of change and of AcceptRefund.
	ChangeRefund(ctx context.Context, scope models.Scope, saleID, refundID string,
		change func(*models.RefundDraft) error) (d *models.RefundDraft, waits bool, err error)
}

// Work is the worklist of exceptions of all subjects, and the search.
type Work interface {
	// ListExceptions lists the exceptions that pass the filter, the oldest first.
	ListExceptions(ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
		page models.Page) (models.ExceptionList, error)
	// Exception reads the exception of one record. Errors: models.ErrNotFound.
	Exception(ctx context.Context, scope models.Scope, ref models.ExceptionRef) (models.Exception, error)
	// NoteException changes the note of an exception, such as the person who works on it. Errors: models.ErrNotFound.
	NoteException(ctx context.Context, scope models.Scope, actor models.Actor, ref models.ExceptionRef,
		change func(*models.ExceptionNote)) (models.Exception, error)
	// Search finds records by a text, such as a part of a name.
	Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error)
}

// Idempotency stores the answers to requests with an idempotency key.
type Idempotency interface {
	// Once calls effect unless the key was used before; then it returns the stored answer.
	// The records write in the transaction of the context of effect, so the answer is committed with them.
	// A nil answer rolls everything back. Errors: models.ErrKeyInUse, models.ErrKeyReused, models.ErrUnavailable,
	// models.ErrOutcomeUnknown.
	Once(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
	// OnceNonTransactional is Once for an effect that is committed elsewhere and is idempotent.
	// It stores the answer after the effect. The errors are the same.
	OnceNonTransactional(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
}

// RateOverrides are the rates that organizations set for their own sales.
type RateOverrides interface {
	// CreateRateOverride creates a rate override. Errors: *models.LimitError.
	CreateRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, o *models.RateOverride) error
	// RateOverride reads a rate override. Errors: models.ErrNotFound.
	RateOverride(ctx context.Context, scope models.Scope, id string) (models.RateOverride, error)
	// ListRateOverrides lists the rate overrides that pass the filter.
	ListRateOverrides(ctx context.Context, scope models.Scope, f models.RateOverrideFilter, order []models.Order,
		page models.Page) (models.List[models.RateOverride], error)
	// DeleteRateOverride deletes a rate override and returns it. Errors: models.ErrNotFound.
	DeleteRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.RateOverride, error)
}

// People are the records of persons and their sessions, which belong to the installation. A method
// with an organization id concerns the people of that organization; an empty id means staff.
type People interface {
	// FindSession finds the person of a session. Errors: models.ErrNotFound.
	FindSession(ctx context.Context, hashes [][]byte) (models.User, error)
	// BeginSession begins a session of a person.
	BeginSession(ctx context.Context, u *models.User, hash []byte, requestID string) error
	// EndSession ends a session at once.
	EndSession(ctx context.Context, hashes [][]byte) error
	// UserByEmail reads a person. Errors: models.ErrNotFound.
	UserByEmail(ctx context.Context, email string) (models.User, error)
	// UseLink sets the password of the person of a link. A link works once. Errors: models.ErrUnauthenticated.
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
	// SavedViews lists the saved views of a person, by list and name.
	SavedViews(ctx context.Context, userID string) ([]models.SavedView, error)
	// SaveView saves a view of the actor. Errors: *models.LimitError.
	SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error
	// RenameView renames a view of the actor. Errors: models.ErrNotFound, *models.DuplicateError (name).
	RenameView(ctx context.Context, actor models.Actor, list, name, to string) error
	// RemoveView removes a view of the actor, if it exists.
	RemoveView(ctx context.Context, actor models.Actor, list, name string) error
	// CreateUser writes a person, the link and the membership unless it is nil. Errors: *models.DuplicateError (email).
	CreateUser(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte) error
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
	// Begin returns the address of the provider for a sign-in. Errors: models.SignInRefusal.
	Begin(ctx context.Context, state, nonce, verifier string) (string, error)
	// Identify returns the identity of a person who returned with a code. Errors: models.SignInRefusal.
	Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error)
}
