package service

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/deps"
)

// These functions find the object of a path, for accessRule.object. Errors: those of the operation that reads it.

// reading reads a record from a store by its id.
type reading[T any] func(ctx context.Context, scope models.Scope, id string) (T, error)

// named returns a function that finds an object by a path parameter with its id.
func named[T any](
	parameter string, read func(*deps.Deps) reading[T],
) func(context.Context, *Service, map[string]string) error {
	return func(ctx context.Context, s *Service, path map[string]string) error {
		_, err := read(s.deps)(ctx, call.Of(ctx).Scope, path[parameter])
		return err
	}
}

// identified returns a function that finds an object by a path parameter with the client's identifier.
func identified[T any](read func(*deps.Deps) reading[T]) func(context.Context, *Service, map[string]string) error {
	return func(ctx context.Context, s *Service, path map[string]string) error {
		_, err := convert.ByIdentifier(path["external_id"], func(identifier string) (T, error) {
			return read(s.deps)(ctx, call.Of(ctx).Scope, identifier)
		})
		return err
	}
}

var (
	productOfPath = named("product_id", func(d *deps.Deps) reading[models.Product] { return d.Products.Product })

	productByExternalIDOfPath = identified(
		func(d *deps.Deps) reading[models.Product] { return d.Products.ProductByExternalID })

	apiKeyOfPath = named("api_key_id", func(d *deps.Deps) reading[models.APIKey] { return d.APIKeys.APIKey })

	calendarFeedOfPath = named("calendar_feed_id",
		func(d *deps.Deps) reading[models.CalendarFeed] { return d.CalendarFeeds.CalendarFeed })

	customerOfPath = named("customer_id", func(d *deps.Deps) reading[models.Customer] { return d.Customers.Customer })

	customerByExternalIDOfPath = identified(
		func(d *deps.Deps) reading[models.Customer] { return d.Customers.CustomerByExternalID })

	exemptionOfPath = named("exemption_id",
		func(d *deps.Deps) reading[models.ExemptionRecord] { return d.Exemptions.Exemption })

	importOfPath = named("import_id", func(d *deps.Deps) reading[models.Import] { return d.Imports.Import })

	nexusOfPath = named("nexus_id", func(d *deps.Deps) reading[models.NexusPlace] { return d.Registrations.NexusPlace })

	registrationOfPath = named("registration_id",
		func(d *deps.Deps) reading[models.Registration] { return d.Registrations.Registration })

	rateOverrideOfPath = named("rate_override_id",
		func(d *deps.Deps) reading[models.RateOverride] { return d.RateOverrides.RateOverride })

	noticeOfPath = named("notice_id", func(d *deps.Deps) reading[models.Notice] { return d.Notices.Notice })

	physicalNexusOfPath = named("physical_nexus_id",
		func(d *deps.Deps) reading[models.PhysicalNexus] { return d.Nexus.PhysicalNexus })

	transactionOfPath = named("transaction_id",
		func(d *deps.Deps) reading[models.Transaction] { return d.Transactions.Transaction })

	transactionByExternalIDOfPath = identified(
		func(d *deps.Deps) reading[models.Transaction] { return d.Transactions.TransactionByExternalID })

	webhookEndpointOfPath = named("webhook_endpoint_id",
		func(d *deps.Deps) reading[models.WebhookEndpoint] { return d.Webhooks.WebhookEndpoint })
)

func attachmentOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.deps.Exemptions.Attachment(ctx, call.Of(ctx).Scope, path["exemption_id"], path["attachment_id"])
	return err
}

func noticeDocumentOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.deps.Notices.Document(ctx, call.Of(ctx).Scope, path["notice_id"], path["document_id"])
	return err
}

func organizationOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.subjects.GetOrganization(ctx, contract.GetOrganizationRequest{
		OrganizationID: path["organization_id"],
	})
	return err
}

func onboardingOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.subjects.GetOnboarding(ctx, contract.GetOnboardingRequest{OrganizationID: path["organization_id"]})
	return err
}

// organizationOfHeader finds only the organization of the request.
func organizationOfHeader(ctx context.Context, _ *Service, path map[string]string) error {
	if path["organization_id"] != call.Of(ctx).Scope.OrganizationID {
		return models.ErrNotFound
	}
	return nil
}

func grantOfPath(ctx context.Context, s *Service, path map[string]string) error {
	if err := organizationOfHeader(ctx, s, path); err != nil {
		return err
	}
	o, err := s.deps.Organizations.Organization(ctx, call.Of(ctx).Scope)
	if err == nil && convert.ValueOf(o.ParentOrganizationID) != path["partner_id"] {
		err = models.ErrNotFound
	}
	return err
}

func revisionOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.subjects.GetTransactionRevision(ctx, contract.GetTransactionRevisionRequest{
		TransactionID: path["transaction_id"], Revision: path["revision"],
	})
	return err
}

func creditNoteOfPath(ctx context.Context, s *Service, path map[string]string) error {
	note, err := s.subjects.GetTransaction(ctx, contract.GetTransactionRequest{
		TransactionID: path["credit_note_id"],
	})
	if err == nil && note.RelatedTo != path["transaction_id"] {
		return models.ErrNotFound
	}
	return err
}

func userOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.deps.People.User(ctx, call.Of(ctx).Scope.OrganizationID, path["user_id"])
	return err
}

func exceptionOfPath(ctx context.Context, s *Service, path map[string]string) error {
	ref := models.ExceptionRef{Type: path["type"], ObjectID: path["object_id"], Wants: s.deps.ReturnWants()}
	_, err := s.deps.Work.Exception(ctx, call.Of(ctx).Scope, ref)
	return err
}

func subjectOfComments(ctx context.Context, s *Service, path map[string]string) error {
	on := models.CommentSubject{Type: path["object_type"], ID: path["object_id"]}
	return s.deps.Work.CommentSubjectExists(ctx, call.Of(ctx).Scope, on)
}

func commentOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.deps.Work.Comment(ctx, call.Of(ctx).Scope, path["comment_id"])
	return err
}

func eventOfPath(ctx context.Context, s *Service, path map[string]string) error {
	_, err := s.subjects.EventOf(ctx, path["event_id"])
	return err
}

func filingOfPath(ctx context.Context, s *Service, path map[string]string) error {
	return s.deps.Reports.FilingExists(ctx, call.Of(ctx).Scope, path["filing_id"])
}
