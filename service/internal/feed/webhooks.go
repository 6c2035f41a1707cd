package feed

import (
	"context"
	"errors"
	"time"

	"levy/contract"
	"levy/internal/webhook"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreateWebhookEndpoint registers an address. Only this answer contains its secret.
func (o *Operations) CreateWebhookEndpoint(
	ctx context.Context, r contract.CreateWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	c, body := call.Of(ctx), r.Body
	if err := o.acceptEndpoint(ctx, body.URL, body.IncludeClients); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record := models.WebhookEndpoint{
		ID: models.NewID(models.PrefixWebhook), URL: body.URL,
		Description: convert.Optional(body.Description), EnabledEvents: body.EnabledEvents,
		Status: models.WebhookEnabled, IncludeClients: body.IncludeClients, SignatureScheme: webhook.SchemeShared,
	}
	if body.Status != "" {
		record.SetStatus(models.WebhookStatus(body.Status), models.WebhookManual)
	}
	if body.SignatureScheme != "" {
		record.SignatureScheme = string(body.SignatureScheme)
	}
	secret, err := o.newWebhookSecret(ctx, record.ID, record.SignatureScheme)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record.Secret, record.PublicKey = secret.Sealed, secret.PublicKey
	if err := o.deps.Webhooks.CreateWebhookEndpoint(ctx, c.Scope, c.Actor(), &record); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	return withSecret(endpointAnswer(record), secret.Shown), nil
}

// acceptEndpoint checks the address of an endpoint, and include_clients, which only an organization
// with clients may use. The address must lead to a public network. Errors: *models.InvalidError,
// models.ErrUnavailable if the name of the host cannot be resolved now.
func (o *Operations) acceptEndpoint(ctx context.Context, url string, clients bool) error {
	var faults []models.Fault
	if url != "" {
		err := o.deps.Addresses.CheckAddress(ctx, url)
		if refused, ok := errors.AsType[*webhook.RefusedError](err); ok {
			faults = append(faults, models.Fault{Code: models.FieldURLNotAllowed, Path: "url",
				Message: refused.Reason})
		} else if err != nil {
			return models.ErrUnavailable
		}
	}
	if faults = append(faults, ClientsFaults(call.Of(ctx), clients)...); len(faults) > 0 {
		return &models.InvalidError{Faults: faults}
	}
	return nil
}

// ClientsFaults returns a fault for include_clients of an organization without clients.
func ClientsFaults(c *call.Call, clients bool) []models.Fault {
	if !clients || c.Principal.IsRoot() {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldNotAllowed, Path: "include_clients", Message: "Only a root organization has clients.",
	}}
}

// newWebhookSecret returns a new secret of an endpoint, sealed like personal data. Only a shared secret is
// in the answer.
func (o *Operations) newWebhookSecret(ctx context.Context, endpointID, scheme string) (models.WebhookSecret, error) {
	key, err := o.deps.Vault.KeyOrNew(ctx, call.Of(ctx).Scope.OrganizationID)
	if err != nil {
		return models.WebhookSecret{}, err
	}
	plain, public := webhook.NewSecret(scheme)
	secret := models.WebhookSecret{Scheme: scheme, Sealed: key.Seal(models.WebhookSecretField(endpointID), []byte(plain))}
	if public != "" {
		secret.PublicKey = &public
	} else {
		secret.Shown = plain
	}
	return secret, nil
}

// ListWebhookEndpoints lists endpoints.
func (o *Operations) ListWebhookEndpoints(
	ctx context.Context, r contract.ListWebhookEndpointsRequest,
) (contract.WebhookEndpointList, error) {
	p := r.Params
	list, err := o.deps.Webhooks.ListWebhookEndpoints(ctx, call.Of(ctx).Scope, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size))
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, endpointAnswer)
	if err != nil || len(list.Items) == 0 {
		return contract.WebhookEndpointList(answer), err
	}
	ids := convert.ConvertAll(list.Items, func(w models.WebhookEndpoint) string { return w.ID })
	sums, err := o.deps.Webhooks.WebhookDeliverySums(ctx, call.Of(ctx).Scope, ids, o.now().Add(-time.Hour))
	for i := range answer.Items {
		of := sums[answer.Items[i].ID]
		answer.Items[i].LastHour = &contract.WebhookDeliverySums{Count: of.Count, FailedCount: of.Failed}
	}
	return contract.WebhookEndpointList(answer), err
}

// GetWebhookEndpoint reads an endpoint.
func (o *Operations) GetWebhookEndpoint(
	ctx context.Context, r contract.GetWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	record, err := o.deps.Webhooks.WebhookEndpoint(ctx, call.Of(ctx).Scope, r.WebhookEndpointID)
	return endpointAnswer(record), err
}

// UpdateWebhookEndpoint changes the submitted fields of an endpoint.
func (o *Operations) UpdateWebhookEndpoint(
	ctx context.Context, r contract.UpdateWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	c, body := call.Of(ctx), r.Body
	if _, err := o.deps.Webhooks.WebhookEndpoint(ctx, c.Scope, r.WebhookEndpointID); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	clients := false
	convert.Change(&clients, body.IncludeClients, false)
	if err := o.acceptEndpoint(ctx, body.URL, clients); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record, err := o.deps.Webhooks.UpdateWebhookEndpoint(
		ctx, c.Scope, c.Actor(), r.WebhookEndpointID, func(w *models.WebhookEndpoint) {
			if body.URL != "" {
				w.URL = body.URL
			}
			convert.Change(&w.EnabledEvents, body.EnabledEvents, []string{"*"})
			status := contract.WebhookEndpointStatus(w.Status)
			convert.Change(&status, body.Status, contract.WebhookEndpointStatusENABLED)
			w.SetStatus(models.WebhookStatus(status), models.WebhookManual)
			convert.ChangeOptional(&w.Description, body.Description)
			convert.Change(&w.IncludeClients, body.IncludeClients, false)
		})
	return endpointAnswer(record), err
}

// DeleteWebhookEndpoint deletes an endpoint.
func (o *Operations) DeleteWebhookEndpoint(ctx context.Context, r contract.DeleteWebhookEndpointRequest) error {
	c := call.Of(ctx)
	return o.deps.Webhooks.DeleteWebhookEndpoint(ctx, c.Scope, c.Actor(), r.WebhookEndpointID)
}

// RotateWebhookSecret replaces the secret of an endpoint.
func (o *Operations) RotateWebhookSecret(
	ctx context.Context, r contract.RotateWebhookSecretRequest,
) (contract.WebhookEndpoint, error) {
	c := call.Of(ctx)
	record, err := o.deps.Webhooks.WebhookEndpoint(ctx, c.Scope, r.WebhookEndpointID)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	secret, err := o.newWebhookSecret(ctx, record.ID, record.SignatureScheme)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record, err = o.deps.Webhooks.RotateWebhookSecret(ctx, c.Scope, c.Actor(), record.ID, secret)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	return withSecret(endpointAnswer(record), secret.Shown), nil
}

// withSecret returns the only answer that contains a secret.
func withSecret(answer contract.WebhookEndpoint, secret string) contract.WebhookEndpoint {
	answer.Secret, answer.SecretAvailable = secret, secret != ""
	return answer
}

func endpointAnswer(w models.WebhookEndpoint) contract.WebhookEndpoint {
	return contract.WebhookEndpoint{
		ID: w.ID, OrganizationID: w.OrganizationID, URL: w.URL,
		Description: w.Description, EnabledEvents: convert.NotNil(w.EnabledEvents),
		Status: contract.WebhookEndpointStatus(w.Status), DisabledReason: w.DisabledReason,
		IncludeClients:  w.IncludeClients,
		SignatureScheme: contract.WebhookSignatureScheme(w.SignatureScheme), PublicKey: convert.ValueOf(w.PublicKey),
		CreatedAt: convert.Instant(w.CreatedAt), UpdatedAt: convert.Instant(w.UpdatedAt),
	}
}
