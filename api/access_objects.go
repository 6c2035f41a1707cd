package api

import (
	"context"

	"github.com/gin-gonic/gin"

	"levy/api/openapi"
	"levy/models"
)

// These find the object that a path names, for accessRule.object. Errors: those of the operation that reads it.

// reading is how a store reads a record by its id.
type reading[T any] func(ctx context.Context, scope models.Scope, id string) (T, error)

// named finds an object by the parameter of the path that holds its id.
func named[T any](parameter string, read func(*Deps) reading[T]) func(*Server, *gin.Context) error {
	return func(s *Server, c *gin.Context) error {
		ctx := c.Request.Context()
		_, err := read(&s.deps)(ctx, callOf(ctx).scope, c.Param(parameter))
		return err
	}
}

var (
	productOfPath = named("product_id", func(d *Deps) reading[models.Product] { return d.Products.Product })

	productByExternalIDOfPath = named("external_id",
		func(d *Deps) reading[models.Product] { return d.Products.ProductByExternalID })

	customerOfPath = named("customer_id", func(d *Deps) reading[models.Customer] { return d.Customers.Customer })

	customerByExternalIDOfPath = named("external_id",
		func(d *Deps) reading[models.Customer] { return d.Customers.CustomerByExternalID })

	exemptionOfPath = named("exemption_id",
		func(d *Deps) reading[models.ExemptionRecord] { return d.Exemptions.Exemption })

	importOfPath = named("import_id", func(d *Deps) reading[models.Import] { return d.Imports.Import })

	nexusOfPath = named("nexus_id", func(d *Deps) reading[models.NexusPlace] { return d.Registrations.NexusPlace })

	registrationOfPath = named("registration_id",
		func(d *Deps) reading[models.Registration] { return d.Registrations.Registration })

	rateOverrideOfPath = named("rate_override_id",
		func(d *Deps) reading[models.RateOverride] { return d.RateOverrides.RateOverride })

	physicalNexusOfPath = named("physical_nexus_id",
		func(d *Deps) reading[models.PhysicalNexus] { return d.Nexus.PhysicalNexus })

	transactionOfPath = named("transaction_id",
		func(d *Deps) reading[models.Transaction] { return d.Transactions.Transaction })

	transactionByExternalIDOfPath = named("external_id",
		func(d *Deps) reading[models.Transaction] { return d.Transactions.TransactionByExternalID })

	webhookEndpointOfPath = named("webhook_endpoint_id",
		func(d *Deps) reading[models.WebhookEndpoint] { return d.Webhooks.WebhookEndpoint })
)

func attachmentOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.deps.Exemptions.Attachment(ctx, callOf(ctx).scope, c.Param("exemption_id"), c.Param("attachment_id"))
	return err
}

func organizationOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetOrganization(c.Request.Context(), openapi.GetOrganizationRequest{
		OrganizationID: c.Param("organization_id"),
	})
	return err
}

// organizationOfHeader knows no organization but the one the request is about.
func organizationOfHeader(_ *Server, c *gin.Context) error {
	if c.Param("organization_id") != callOf(c.Request.Context()).scope.OrganizationID {
		return models.ErrNotFound
	}
	return nil
}

func revisionOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetTransactionRevision(c.Request.Context(), openapi.GetTransactionRevisionRequest{
		TransactionID: c.Param("transaction_id"), Revision: c.Param("revision"),
	})
	return err
}

func creditNoteOfPath(s *Server, c *gin.Context) error {
	note, err := s.GetTransaction(c.Request.Context(), openapi.GetTransactionRequest{
		TransactionID: c.Param("credit_note_id"),
	})
	if err == nil && note.RelatedTo != c.Param("transaction_id") {
		return models.ErrNotFound
	}
	return err
}

func userOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.deps.People.User(ctx, callOf(ctx).scope.OrganizationID, c.Param("user_id"))
	return err
}

func exceptionOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	ref := models.ExceptionRef{Type: c.Param("type"), ObjectID: c.Param("object_id")}
	_, err := s.deps.Work.Exception(ctx, callOf(ctx).scope, ref)
	return err
}

func eventOfPath(s *Server, c *gin.Context) error {
	_, err := s.eventOf(c.Request.Context(), c.Param("event_id"))
	return err
}

func filingOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	return s.deps.Reports.FilingExists(ctx, callOf(ctx).scope, c.Param("filing_id"))
}
