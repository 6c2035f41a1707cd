package api

import (
	"cmp"
	"context"
	"errors"
	"time"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// checkOfChange makes a check of what applies a bound body to the record whose identifier has that name in the path;
// nothing is kept of it. Whoever may not use the operation does not learn what is stored.
func checkOfChange[B any](
	operation, name string, try func(ctx context.Context, now time.Time, id string, body *B) error,
) validate.Check {
	rule := accessRules[operation]
	return checkOf(func(ctx context.Context, now time.Time, body *B) []models.Fault {
		call := callOf(ctx)
		if call.path == nil || !rule.admits(call, nil) {
			return nil
		}
		return faultsOf(try(ctx, now, call.path[name], body))
	})
}

func (s *Server) tryCustomerTransaction(
	ctx context.Context, now time.Time, id string, b *contract.TransactionCreate,
) error {
	c, err := s.deps.Customers.Customer(ctx, callOf(ctx).scope, id)
	if err != nil {
		return &models.InvalidError{Faults: ofUnknownCustomer(ctx, now, id, b)}
	}
	return &models.InvalidError{Faults: append(ofCustomer(&c, b), transactionFaults(ctx, now, b)...)}
}

// tryTransactionUpdate refuses whatever comes of the change, so that the store keeps nothing of it.
func (s *Server) tryTransactionUpdate(
	ctx context.Context, now time.Time, id string, b *contract.TransactionUpdate,
) error {
	_, err := s.replaceTransaction(ctx, id, b, func(stored, read *models.Transaction) (*models.TransactionDraft, error) {
		_, err := s.updateDraft(models.Actor{}, now, stored, read, b)
		return nil, cmp.Or(err, errOnlyTried)
	})
	return err
}

var errOnlyTried = errors.New("the change was only tried")

func (s *Server) tryRegistrationUpdate(
	ctx context.Context, now time.Time, id string, b *contract.RegistrationUpdate,
) error {
	reg, err := s.deps.Registrations.Registration(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return changeRegistration(&reg, b, now)
}

func (s *Server) tryDeregistration(
	ctx context.Context, now time.Time, id string, b *contract.RegistrationDeregister,
) error {
	reg, err := s.deps.Registrations.Registration(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return deregister(&reg, b, now)
}

func (s *Server) tryNexusRegistration(
	ctx context.Context, _ time.Time, id string, b *contract.NexusRegister,
) error {
	place, err := s.deps.Registrations.NexusPlace(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	_, err = s.nexusRegistration(&place, *b)
	return err
}

func (s *Server) tryFilingUpdate(ctx context.Context, _ time.Time, id string, b *contract.FilingUpdate) error {
	f, err := s.deps.Filings.Filing(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	stored := f
	err = s.changeFiling(&f, b, "")
	if _, overflow := f.Amount(); overflow != nil {
		return &models.InvalidError{Faults: append(faultsOf(err), f.AmountTooLarge(&stored).Faults...)}
	}
	return err
}

func (s *Server) tryExemptionUpdate(
	ctx context.Context, now time.Time, id string, b *contract.ExemptionUpdate,
) error {
	e, err := s.deps.Exemptions.Exemption(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return changeExemption(&e.Exemption, b, now, s.deps.KnownJurisdiction)
}

func (s *Server) tryPhysicalNexusUpdate(
	ctx context.Context, _ time.Time, id string, b *contract.PhysicalNexusUpdate,
) error {
	p, err := s.deps.Nexus.PhysicalNexus(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return s.changePhysicalNexus(&p, b)
}

func (s *Server) tryProductUpdate(ctx context.Context, _ time.Time, id string, b *contract.ProductUpdate) error {
	p, err := s.deps.Products.Product(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return s.change(&p, *b)
}

func (s *Server) tryUserStatus(ctx context.Context, _ time.Time, id string, b *contract.UserUpdate) error {
	return &models.InvalidError{Faults: s.statusFaults(ctx, id, b)}
}

func (s *Server) tryAPIKeyUpdate(ctx context.Context, now time.Time, id string, b *contract.APIKeyUpdate) error {
	if err := s.mayChangeKey(ctx, id); err != nil {
		return err
	}
	k, err := s.deps.APIKeys.APIKey(ctx, callOf(ctx).scope, id)
	if err != nil {
		return err
	}
	return changeExpiry(&k, b, now)
}
