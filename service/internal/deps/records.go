package deps

import (
	"context"

	"levy/models"
)

// CreditNotes are the records of credit notes and tax refunds.
type CreditNotes interface {
	// AcceptRefund writes one with everything that follows for its original, durably;
	// afterwards the draft holds it as stored. waits: its original has to be processed
	// first. Errors: models.ErrNotFound, *models.ReferencesNotFoundError,
	// *models.ProductsNotFoundError, models.ErrOriginalIsRefund, *models.OriginalNotCommittedError,
	// *models.InvalidError, *models.CreditExceedsError, *models.DuplicateError,
	// models.ErrUnavailable, models.ErrOutcomeUnknown.
	AcceptRefund(ctx context.Context, scope models.Scope, draft *models.RefundDraft) (waits bool, err error)
	// ChangeRefund reads one of a sale, lets change alter it and writes it as a new
	// version, all in one database transaction.
	// Errors: models.ErrNotFound, *models.LockedError, *models.TransitionError, those of
	// change and of AcceptRefund.
	ChangeRefund(ctx context.Context, scope models.Scope, saleID, refundID string,
		change func(*models.RefundDraft) error) (d *models.RefundDraft, waits bool, err error)
}

// Work is what needs a person, over all subjects, and what a search finds.
type Work interface {
	// ListExceptions lists what needs a person, the oldest first.
	ListExceptions(ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
		page models.Page) (models.ExceptionList, error)
	// Exception reads what needs a person at one object. Errors: models.ErrNotFound.
	Exception(ctx context.Context, scope models.Scope, ref models.ExceptionRef) (models.Exception, error)
	// NoteException says who takes care of one. Errors: models.ErrNotFound.
	NoteException(ctx context.Context, scope models.Scope, actor models.Actor, ref models.ExceptionRef,
		change func(*models.ExceptionNote)) (models.Exception, error)
	// Search finds records by what a person remembers of them.
	Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error)
}

// Idempotency stores the answers to requests with an idempotency key.
type Idempotency interface {
	// Once lets effect happen unless it has happened before, and then returns the
	// answer of that time. What the records do with the context of effect is committed
	// together with the answer. A nil answer rolls everything back.
	// Errors: models.ErrKeyInUse, models.ErrKeyReused, models.ErrUnavailable, models.ErrOutcomeUnknown.
	Once(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
	// OnceNonTransactional is Once for an effect that is committed elsewhere and may be repeated
	// without harm: the answer is stored after it. The errors are the same.
	OnceNonTransactional(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
}

// RateOverrides are the rates that organizations set themselves.
type RateOverrides interface {
	// CreateRateOverride sets a rate. Errors: *models.LimitError.
	CreateRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, o *models.RateOverride) error
	// RateOverride reads one. Errors: models.ErrNotFound.
	RateOverride(ctx context.Context, scope models.Scope, id string) (models.RateOverride, error)
	// ListRateOverrides lists those that pass the filter.
	ListRateOverrides(ctx context.Context, scope models.Scope, f models.RateOverrideFilter, order []models.Order,
		page models.Page) (models.List[models.RateOverride], error)
	// DeleteRateOverride takes one back and returns it as it was. Errors: models.ErrNotFound.
	DeleteRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.RateOverride, error)
}

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

// IdentityProvider is the OpenID provider at which people sign in.
type IdentityProvider interface {
	// Begin is the address where somebody signs in. Errors: models.SignInRefusal.
	Begin(ctx context.Context, state, nonce, verifier string) (string, error)
	// Identify says who has come back with a code. Errors: models.SignInRefusal.
	Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error)
}
