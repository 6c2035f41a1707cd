package activities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"levy/models"
	"levy/returns"
	"levy/rules"
	"levy/tax"
)

// Filing holds the activities of the workflow FileReturn.
type Filing struct {
	store       FilingRecords
	operators   Operators
	authorities Authorities
	policy      rules.FilingPolicy
	content     func() *tax.Content // nil: no documents are built
	sentTo      returns.AdapterAuthorities
	log         *slog.Logger
}

// NewFiling returns the activities of FileReturn.
func NewFiling(
	store FilingRecords, operators Operators, authorities Authorities, policy rules.FilingPolicy, log *slog.Logger,
) *Filing {
	return &Filing{store: store, operators: operators, authorities: authorities, policy: policy, log: log}
}

// FilingInput names a filing, and the moment by the clock of the workflow.
type FilingInput struct {
	OrganizationID string    `json:"organization_id"`
	FilingID       string    `json:"filing_id"`
	Now            time.Time `json:"now"`
}

func (in FilingInput) scope() models.Scope { return models.Scope{OrganizationID: in.OrganizationID} }

// ApprovalResult says whether a filing was approved and, if not, why not yet.
type ApprovalResult struct {
	Approved bool `json:"approved"`
	Pending  int  `json:"pending,omitempty"` // transactions of the period that are still being processed
	// Unresolved are transactions that cannot be processed, and Amount is their net.
	Unresolved int    `json:"unresolved,omitempty"`
	Amount     string `json:"amount,omitempty"`
	// Refused are the codes of the findings by which the adapter of the return has no document to send.
	Refused []string `json:"refused,omitempty"`
}

// TransitionInput is a change of status as staff ask for it.
type TransitionInput struct {
	FilingInput
	Transition models.FilingTransition `json:"move"`
	// Proof says who asks for it. The workflow has checked of what it is.
	Proof string `json:"proof,omitempty"`
}

// TransitionResult says what the status is now.
type TransitionResult struct {
	Status models.FilingStatus `json:"status"`
}

// RefreshFiling reads how a filing goes on, and notes the reminder that is due.
func (f *Filing) RefreshFiling(ctx context.Context, in FilingInput) (snapshot rules.FilingSnapshot, err error) {
	err = f.do(ctx, in, func(ctx context.Context) (err error) {
		snapshot, err = f.store.RefreshFiling(ctx, in.scope(), in.FilingID, in.Now, f.policy)
		snapshot.Document = snapshot.Document || err == nil && f.wantsDocument(snapshot)
		return err
	})
	return snapshot, err
}

// ApproveFiling claims the transactions of a filing whose time has come. It claims nothing if some transactions are
// still being processed or cannot be, or if the filing has changed. Its result says so, and the workflow reads the
// record again.
func (f *Filing) ApproveFiling(ctx context.Context, in FilingInput) (result ApprovalResult, err error) {
	err = f.do(ctx, in, func(ctx context.Context) error {
		var err error
		if result.Refused, err = f.refusals(ctx, in); err != nil || len(result.Refused) > 0 {
			return err
		}
		err = f.store.AutoApproveFiling(ctx, in.scope(), in.FilingID, in.Now, f.policy)
		var notReady *models.FilingNotReadyError
		var unresolved *models.FilingUnresolvedError
		switch {
		case errors.As(err, &unresolved):
			result.Unresolved, result.Amount = unresolved.Transactions, unresolved.Amount.String()
		case errors.As(err, &notReady):
			result.Pending = notReady.Pending
		case !refused(err):
			result.Approved = err == nil
			return err
		}
		return nil
	})
	return result, err
}

// ResumeFiling ends a pause whose day has come.
func (f *Filing) ResumeFiling(ctx context.Context, in FilingInput) error {
	return f.do(ctx, in, func(ctx context.Context) error {
		return f.store.ResumeFiling(ctx, in.scope(), in.FilingID, in.Now)
	})
}

// LockFiling locks the transactions of a filing that is FILED, with which its report
// was sealed.
func (f *Filing) LockFiling(ctx context.Context, in FilingInput) error {
	return f.do(ctx, in, func(ctx context.Context) error { return f.store.LockFiling(ctx, in.scope(), in.FilingID) })
}

// MoveFiling changes the status as the operator asks whose proof it is, whose name the history
// keeps. Errors: the refusals of the record; ErrTypeInvalidInput when the proof is none.
func (f *Filing) MoveFiling(ctx context.Context, in TransitionInput) (result TransitionResult, err error) {
	info := activity.GetInfo(ctx)
	err = f.do(ctx, in.FilingInput, func(ctx context.Context) (err error) {
		by := info.WorkflowExecution.RunID + "/" + info.ActivityID
		if in.Transition.Actor, err = proven(ctx, f.operators, in.Proof, by); err != nil {
			return err
		}
		name := cmp.Or(in.Transition.Actor.UserName, in.Transition.Actor.Staff)
		if in.Transition.By != "" && in.Transition.By != name {
			return invalidInput("by is not the name of the operator who sent it; it may be left out")
		}
		in.Transition.By = name
		if err := f.checkSendable(ctx, in); err != nil {
			return err
		}
		result.Status, err = f.store.TransitionFiling(ctx, in.scope(), in.FilingID, in.Transition)
		return err
	})
	return result, err
}

// proven is who asks for something: the operator whose proof it is. use names what it is used for, which may be
// repeated. Errors: ErrTypeInvalidInput when the proof is none.
func proven(ctx context.Context, operators Operators, text, use string) (models.Actor, error) {
	proof, err := models.ReadProof(text)
	if err != nil {
		return models.Actor{}, invalidInput(err.Error())
	}
	who, err := operators.UseProof(ctx, proof, use)
	if models.IsProofRefusal(err) {
		return models.Actor{}, invalidInput(err.Error())
	}
	return who, err
}

// do works on the record of a filing.
func (f *Filing) do(ctx context.Context, in FilingInput, work func(context.Context) error) error {
	if in.OrganizationID == "" || in.FilingID == "" {
		return invalidInput("no filing given")
	}
	return onRecord(ctx, f.log, record{of: ofFiling, names: in.names()}, work)
}

func (in FilingInput) names() []any {
	return []any{"organization_id", in.OrganizationID, "filing_id", in.FilingID}
}
