package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/catalog"
	"levy/service/internal/convert"
	"levy/service/internal/notices"
	"levy/service/internal/people"
	"levy/service/internal/registrations"
	"levy/service/internal/transactions"
)

// checkOfChange returns a check that applies a body to the stored record with the id in the path parameter.
// It stores nothing. A caller who may not use the operation does not learn the stored record.
func checkOfChange[B any](
	operation, name string, dryRun func(ctx context.Context, now time.Time, id string, body *B) error,
) validate.Check {
	rule := accessRules[operation]
	return checkOf(func(ctx context.Context, now time.Time, body *B) []models.Fault {
		c := call.Of(ctx)
		if c.Path == nil || !rule.admits(c, nil) {
			return nil
		}
		return convert.FaultsOf(dryRun(ctx, now, c.Path[name], body))
	})
}

func (s *Service) dryRunCustomerTransaction(
	ctx context.Context, now time.Time, id string, b *contract.TransactionCreate,
) error {
	c, err := s.deps.Customers.Customer(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return &models.InvalidError{Faults: transactions.OfUnknownCustomer(ctx, now, id, b)}
	}
	return &models.InvalidError{Faults: append(transactions.OfCustomer(&c, b), transactions.Faults(ctx, now, b)...)}
}

// dryRunTransactionUpdate refuses every result of the change, so that the store writes nothing.
func (s *Service) dryRunTransactionUpdate(
	ctx context.Context, now time.Time, id string, b *contract.TransactionUpdate,
) error {
	_, err := s.subjects.ReplaceTransaction(ctx, id, b, func(stored, read *models.Transaction) (*models.TransactionDraft, error) {
		_, err := s.subjects.UpdateDraft(models.Actor{}, now, stored, read, b)
		return nil, cmp.Or(err, errDryRun)
	})
	return err
}

var errDryRun = errors.New("the change was a dry run")

func (s *Service) dryRunRegistrationUpdate(
	ctx context.Context, now time.Time, id string, b *contract.RegistrationUpdate,
) error {
	reg, err := s.deps.Registrations.Registration(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return registrations.ChangeRegistration(&reg, b, now)
}

func (s *Service) dryRunDeregistration(
	ctx context.Context, now time.Time, id string, b *contract.RegistrationDeregister,
) error {
	reg, err := s.deps.Registrations.Registration(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return registrations.Deregister(&reg, b, now)
}

func (s *Service) dryRunNexusRegistration(
	ctx context.Context, _ time.Time, id string, b *contract.NexusRegister,
) error {
	place, err := s.deps.Registrations.NexusPlace(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	_, err = s.subjects.NexusRegistration(&place, *b)
	return err
}

func (s *Service) dryRunExemptionUpdate(
	ctx context.Context, now time.Time, id string, b *contract.ExemptionUpdate,
) error {
	e, err := s.deps.Exemptions.Exemption(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return catalog.ChangeExemption(&e.Exemption, b, now, s.deps.KnownJurisdiction)
}

func (s *Service) dryRunNoticeUpdate(ctx context.Context, now time.Time, id string, b *contract.NoticeUpdate) error {
	n, err := s.deps.Notices.Notice(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return notices.Change(&n, b, now)
}

func (s *Service) dryRunPhysicalNexusUpdate(
	ctx context.Context, _ time.Time, id string, b *contract.PhysicalNexusUpdate,
) error {
	p, err := s.deps.Nexus.PhysicalNexus(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return s.subjects.ChangePhysicalNexus(&p, b)
}

func (s *Service) dryRunProductUpdate(ctx context.Context, _ time.Time, id string, b *contract.ProductUpdate) error {
	p, err := s.deps.Products.Product(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return s.subjects.ChangeProduct(&p, *b)
}

func (s *Service) dryRunUserStatus(ctx context.Context, _ time.Time, id string, b *contract.UserUpdate) error {
	return &models.InvalidError{Faults: s.subjects.StatusFaults(ctx, id, b)}
}

func (s *Service) dryRunAPIKeyUpdate(ctx context.Context, now time.Time, id string, b *contract.APIKeyUpdate) error {
	if err := s.subjects.MayChangeKey(ctx, id); err != nil {
		return err
	}
	k, err := s.deps.APIKeys.APIKey(ctx, call.Of(ctx).Scope, id)
	if err != nil {
		return err
	}
	return people.ChangeExpiry(&k, b, now)
}
