package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/models"
	"levy/store/organizations"
	"levy/worker"
	"levy/workflows"
)

type operatorCmd struct {
	Add    operatorAddCmd    `cmd:"" help:"Make an operator key for a person, and print it once."`
	List   operatorListCmd   `cmd:"" help:"List the operator keys, also those that have ended."`
	Revoke operatorRevokeCmd `cmd:"" help:"End an operator key at once."`
	Sign   operatorSignCmd   `cmd:"" help:"Print the argument of an Update for the Temporal UI, signed by your operator key."`
	Send   operatorSendCmd   `cmd:"" help:"Send an Update to the workflow of a filing or an onboarding, signed by your operator key."`
}

type operatorAddCmd struct {
	Name      string        `arg:"" help:"Name of the person, which the audit trail keeps."`
	ExpiresIn time.Duration `default:"8760h" help:"Time after which the key ends; 0 for never."`
}

// Run creates a key and prints it: the only time that it is shown.
func (c operatorAddCmd) Run(p *program) error {
	if err := errors.Join(p.config.validate(needDatabase, needMasterKeys), c.check()); err != nil {
		return err
	}
	s, hasher, err := openForKeys(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	key := secret.NewAPIKey(secret.KindOperator)
	public, _ := secret.PublicProofKey(key)
	made := organizations.NewOperator{Name: strings.TrimSpace(c.Name), Hash: hasher.Hash(key), PublicKey: public}
	if c.ExpiresIn > 0 {
		expires := time.Now().Add(c.ExpiresIn).UTC().Truncate(time.Second)
		made.ExpiresAt = &expires
	}
	id, err := s.Organizations.CreateOperator(p.ctx, staff(), made)
	if err != nil {
		return err
	}
	return p.printJSON(struct {
		ID        string     `json:"id"`
		Name      string     `json:"name"`
		ExpiresAt *time.Time `json:"expires_at"`
		Key       string     `json:"operator_key"`
	}{id, made.Name, made.ExpiresAt, key})
}

func (c operatorAddCmd) check() error {
	var errs []error
	if name := strings.TrimSpace(c.Name); name == "" || utf8.RuneCountInString(name) > 100 {
		errs = append(errs, errors.New("the name must have 1 to 100 characters"))
	}
	if c.ExpiresIn < 0 {
		errs = append(errs, errors.New("--expires-in must not be negative"))
	}
	return errors.Join(errs...)
}

type operatorListCmd struct{}

// Run prints a table.
func (operatorListCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	operators, err := s.Organizations.ListOperators(p.ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tCREATED\tEXPIRES\tSTATUS")
	for _, o := range operators {
		name, expires, status := o.Name, "never", "active"
		if name == "" {
			name = "(before names: opens histories, signs nothing)"
		}
		if o.ExpiresAt != nil {
			expires = o.ExpiresAt.UTC().Format(time.DateOnly)
		}
		switch {
		case o.RevokedAt != nil:
			status = "revoked " + o.RevokedAt.UTC().Format(time.DateOnly)
		case o.ExpiresAt != nil && !o.ExpiresAt.After(now):
			status = "expired"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", o.ID, name, o.CreatedAt.UTC().Format(time.DateOnly), expires, status)
	}
	return table.Flush()
}

type operatorRevokeCmd struct {
	ID string `arg:"" help:"Id of the key, oper_…, as list shows it."`
}

// Run revokes a key. One that is revoked stays so.
func (c operatorRevokeCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Organizations.RevokeOperator(p.ctx, staff(), c.ID); err != nil {
		return fmt.Errorf("operator key %s: %w", c.ID, err)
	}
	_, err = fmt.Fprintf(p.stdout, "%s is revoked\n", c.ID)
	return err
}

// staffUpdate is an Update of a filing, or of an onboarding, as an operator names it.
type staffUpdate struct {
	Update            string `arg:"" enum:"approve,pause,resume,skip,cancel,retry,confirm_cancellation" help:"approve, pause, resume, skip, cancel or retry of a filing, or confirm_cancellation of an onboarding."`
	ID                string `arg:"" help:"Id of the filing, file_…; of confirm_cancellation that of the organization, org_…"`
	Until             string `help:"Last day of a pause, such as 2026-01-31."`
	Reason            string `help:"Why, of skip, cancel and confirm_cancellation."`
	ExcludeUnresolved bool   `help:"Approve without the transactions that cannot be processed."`
	ExpectedAmount    string `help:"Approve only if the amount still is that, such as 1045.12."`

	OperatorKey Secret `name:"operator-key" var:"LEVY_OPERATOR_KEY" help:"The key that signs, from levy operator add."`
}

// message is the argument of the Update, signed, and the workflow to which it goes.
func (c staffUpdate) message(now time.Time) (workflowID string, argument any, err error) {
	key, ok := secret.ProofKey(c.OperatorKey.Reveal())
	var errs []error
	if !ok {
		errs = append(errs, errors.New("LEVY_OPERATOR_KEY, or the file that LEVY_OPERATOR_KEY_FILE names, "+
			"must hold an operator key"))
	}
	confirms := c.Update == workflows.ConfirmCancellationUpdate
	switch {
	case confirms && !models.IsID(models.PrefixOrganization, c.ID):
		errs = append(errs, fmt.Errorf("%q is not the id of an organization, which begins with %s_",
			c.ID, models.PrefixOrganization))
	case !confirms && !models.IsID(models.PrefixFiling, c.ID):
		errs = append(errs, fmt.Errorf("%q is not the id of a filing, which begins with %s_", c.ID, models.PrefixFiling))
	}
	if confirms && (c.Until != "" || c.ExcludeUnresolved || c.ExpectedAmount != "") {
		errs = append(errs, errors.New("--until, --exclude-unresolved and --expected-amount are of filings"))
	}
	if c.Update == workflows.ApproveUpdate && c.ExpectedAmount == "" {
		errs = append(errs, errors.New("--expected-amount is needed to approve: what is to be paid, as the page of the return shows it"))
	}
	if len(errs) > 0 {
		return "", nil, errors.Join(errs...)
	}
	if confirms {
		workflowID = workflows.OnboardingID(c.ID)
		confirmation := workflows.ConfirmationInput{OrganizationID: c.ID, Reason: c.Reason}
		confirmation.Proof = models.SignUpdate(key, confirmation.Statement(workflowID, c.Update), now)
		return workflowID, confirmation, nil
	}
	workflowID = workflows.FilingID(c.ID)
	message := workflows.FilingMessage{
		Until: c.Until, Reason: c.Reason, ExcludeUnresolved: c.ExcludeUnresolved, ExpectedAmount: c.ExpectedAmount,
	}
	message.Proof = models.SignUpdate(key, message.Statement(workflowID, c.Update), now)
	return workflowID, message, nil
}

type operatorSignCmd struct{ staffUpdate }

// Run prints what is pasted into the Temporal UI. It contacts no server.
func (c operatorSignCmd) Run(p *program) error {
	workflowID, argument, err := c.message(time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "Workflow %s, Update %s; to be sent within %s:\n", workflowID, c.Update, models.ProofLife)
	return json.NewEncoder(p.stdout).Encode(argument)
}

type operatorSendCmd struct{ staffUpdate }

// Run sends the Update and waits until it is done or refused.
func (c operatorSendCmd) Run(p *program) error {
	workflowID, argument, err := c.message(time.Now())
	if err = errors.Join(p.config.validate(needTemporal, needMasterKeys), err); err != nil {
		return err
	}
	ring, err := p.config.ring()
	if err != nil {
		return err
	}
	codec, err := codecOf(ring)
	if err != nil {
		return err
	}
	connection, err := p.config.temporalTLS()
	if err != nil {
		return err
	}
	client, err := worker.Dial(worker.ClientConfig{
		Address: p.config.TemporalAddress, Namespace: p.config.TemporalNamespace, Codec: codec,
		TLS: connection, APIKey: p.config.TemporalAPIKey.Reveal(),
		Log: p.config.logger(p.stderr), Tracer: otel.Tracer("levy/operator"),
	})
	if err != nil {
		return err
	}
	defer client.Close()
	handle, err := client.UpdateWorkflow(p.ctx, sdkclient.UpdateWorkflowOptions{
		WorkflowID: workflowID, UpdateName: c.Update, Args: []any{argument},
		WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = handle.Get(p.ctx, nil)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", c.Update, c.ID, p.config.explainTemporal(p.ctx, err))
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %s is done\n", c.ID, c.Update)
	return err
}
