package notices

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/money"
)

// CreateNotice records a letter of an authority.
func (o *Operations) CreateNotice(ctx context.Context, r contract.CreateNoticeRequest) (contract.Notice, error) {
	c, b := call.Of(ctx), &r.Body
	if faults := Faults(ctx, o.now(), b); faults != nil {
		return contract.Notice{}, &models.InvalidError{Faults: faults}
	}
	n := models.Notice{
		ID: models.NewID(models.PrefixNotice), RegistrationID: b.RegistrationID, FilingID: convert.Optional(b.FilingID),
		Kind: models.NoticeKind(b.Kind), Authority: b.Authority, Reference: convert.Optional(b.Reference),
		Currency: convert.Optional(b.Currency), ReceivedDate: b.ReceivedDate.Time,
		DueDate: convert.OptionalDay(b.DueDate), Description: convert.Optional(b.Description), Status: models.NoticeOpen,
		Revision: 1, Assignee: convert.Optional(b.Assignee),
	}
	if err := setAmount(&n, b.Amount); err != nil {
		return contract.Notice{}, err
	}
	err := o.deps.Notices.CreateNotice(ctx, c.Scope, c.Actor(), &n)
	return convert.Answered(n, err, Answer)
}

// Faults returns what the contract cannot say of a new notice.
func Faults(_ context.Context, now time.Time, b *contract.NoticeCreate) []models.Fault {
	return moneyAndDays(b.Amount, b.Currency, b.ReceivedDate, now)
}

// moneyAndDays returns the faults of the amount and of the day of receipt.
func moneyAndDays(amount, currency string, received openapi_types.Date, now time.Time) (faults []models.Fault) {
	switch sum, err := money.ParseTotal(amount); {
	case amount != "" && err == nil && sum.IsNeg():
		faults = append(faults, models.Fault{Code: models.FieldOutOfRange, Path: "amount",
			Message: "amount must not be negative: the kind REFUND says that the authority pays."})
	case (amount == "") != (currency == ""):
		faults = append(faults, models.Fault{Code: models.FieldMissing, Path: "currency", Of: []string{"amount", "currency"},
			Message: "amount and currency belong together."})
	}
	// A day begins fourteen hours before that of UTC in the easternmost time zone.
	if received.After(now.UTC().Add(14 * time.Hour)) {
		faults = append(faults, models.Fault{Code: models.FieldOutOfRange, Path: "received_date",
			Message: "received_date must not be in the future."})
	}
	return faults
}

// setAmount sets the amount; "" is none.
func setAmount(n *models.Notice, amount string) error {
	n.Amount = nil
	if amount == "" {
		return nil
	}
	sum, err := money.ParseTotal(amount)
	n.Amount = &sum
	return err
}

// GetNotice reads a notice.
func (o *Operations) GetNotice(ctx context.Context, r contract.GetNoticeRequest) (contract.Notice, error) {
	n, err := o.deps.Notices.Notice(ctx, call.Of(ctx).Scope, r.NoticeID)
	return convert.Answered(n, err, Answer)
}

// filter returns what selects notices of the organization.
func (o *Operations) filter(p *contract.ExportNoticesParams) models.NoticeFilter {
	return models.NoticeFilter{
		Statuses: convert.Texts[models.NoticeStatus](p.StatusIn), Kinds: convert.Texts[models.NoticeKind](p.KindIn),
		RegistrationID: p.RegistrationID, FilingID: p.FilingID, Countries: p.CountryCode, States: o.deps.Spellings(p.StateCode),
		Assignee: p.Assignee, DueFrom: p.DueDateGte.Time, DueUntil: p.DueDateLte.Time, Text: p.SearchQuery,
	}
}

// ListNotices lists notices.
func (o *Operations) ListNotices(ctx context.Context, r contract.ListNoticesRequest) (contract.NoticeList, error) {
	p := r.Params
	filter := o.filter(&contract.ExportNoticesParams{
		StatusIn: p.StatusIn, KindIn: p.KindIn, RegistrationID: p.RegistrationID, FilingID: p.FilingID, CountryCode: p.CountryCode,
		StateCode: p.StateCode, Assignee: p.Assignee, DueDateGte: p.DueDateGte, DueDateLte: p.DueDateLte, SearchQuery: p.SearchQuery,
	})
	order := convert.OrderOf(p.OrderBy)
	page, err := convert.PageAfter(ctx, p.After, filter, order, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.NoticeList{}, err
	}
	list, err := o.deps.Notices.ListNotices(ctx, call.Of(ctx).Scope, filter, order, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, Answer)
	return contract.NoticeList(answer), err
}

// UpdateNotice changes the submitted fields of a notice.
func (o *Operations) UpdateNotice(ctx context.Context, r contract.UpdateNoticeRequest) (contract.Notice, error) {
	c := call.Of(ctx)
	n, err := o.deps.Notices.UpdateNotice(ctx, c.Scope, c.Actor(), r.NoticeID, func(n *models.Notice) error {
		return Change(n, &r.Body, o.now())
	})
	return convert.Answered(n, err, Answer)
}

// Change applies the submitted fields. Errors: *models.InvalidError; *models.TransitionError; *models.NoticeChangedError for
// another revision than the caller has read.
func Change(n *models.Notice, sent *contract.NoticeUpdate, now time.Time) error {
	// guard: notices: a change of another revision is refused
	if sent.Revision != 0 && sent.Revision != n.Revision {
		return &models.NoticeChangedError{Revision: n.Revision}
	}
	kind, received := contract.NoticeKind(n.Kind), openapi_types.Date{Time: n.ReceivedDate}
	amount, currency := amountOf(n), convert.ValueOf(n.Currency)
	changeSent(&kind, sent.Kind)
	changeSent(&n.Authority, sent.Authority)
	changeSent(&received, sent.ReceivedDate)
	convert.ChangeOptional(&n.Reference, sent.Reference)
	convert.Change(&amount, sent.Amount, "")
	convert.Change(&currency, sent.Currency, "")
	convert.ChangeDay(&n.DueDate, sent.DueDate)
	convert.ChangeOptional(&n.Description, sent.Description)
	convert.ChangeOptional(&n.Assignee, sent.Assignee)
	convert.ChangeOptional(&n.Answer, sent.Answer)
	n.Kind, n.ReceivedDate, n.Currency = models.NoticeKind(kind), received.Time, convert.Optional(currency)
	faults := moneyAndDays(amount, currency, received, now)
	if err := setAmount(n, amount); err != nil {
		return err
	}
	to := contract.NoticeStatus(n.Status)
	changeSent(&to, sent.Status)
	err := n.Transition(models.NoticeStatus(to), now.UTC())
	if faults = append(faults, convert.FaultsOf(err)...); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	return err
}

// changeSent sets a field that has no default. null leaves it.
func changeSent[T any](field *T, sent nullable.Nullable[T]) { convert.Change(field, sent, *field) }

func amountOf(n *models.Notice) string {
	if n.Amount == nil {
		return ""
	}
	return n.Amount.String()
}

// Answer returns a notice in the form of the contract.
func Answer(n models.Notice) contract.Notice {
	return contract.Notice{
		ID: n.ID, OrganizationID: n.OrganizationID, RegistrationID: n.RegistrationID, FilingID: n.FilingID,
		CountryCode: n.CountryCode, StateCode: n.StateCode, Kind: contract.NoticeKind(n.Kind), Authority: n.Authority,
		Reference: n.Reference, Amount: convert.Optional(amountOf(&n)), Currency: n.Currency,
		ReceivedDate: convert.DayOf(n.ReceivedDate), DueDate: convert.OptionalDate(n.DueDate), Description: n.Description,
		Status: contract.NoticeStatus(n.Status), Assignee: n.Assignee, Answer: n.Answer, AnsweredAt: convert.OptionalInstant(n.AnsweredAt),
		Documents: convert.ConvertAll(n.Documents, documentAnswer), Revision: n.Revision,
		CreatedAt: convert.Instant(n.CreatedAt), UpdatedAt: convert.Instant(n.UpdatedAt),
	}
}
