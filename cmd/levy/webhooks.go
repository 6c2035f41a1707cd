package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"levy/activities"
	"levy/internal/webhook"
	"levy/service"
)

// webhookClient sends to the addresses that clients chose.
func (p *parts) webhookClient() *webhook.Client {
	return webhook.NewClient(webhook.Options{Hosts: p.cfg.WebhookHosts})
}

// webhooks is the activity of the deliveries.
func (p *parts) webhooks() *activities.Webhooks {
	documents := service.NewEventAnswers(p.store.Feed(), p.taxes, p.cfg.onboardingRules())
	return activities.NewWebhooks(
		p.store.Webhooks, p.vault, documents, p.webhookClient(), newWebhookMetrics(p.registry), p.log,
	)
}

// newWebhookMetrics counts attempts.
func newWebhookMetrics(registry prometheus.Registerer) func(result string) {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "levy_webhook_attempts_total",
		Help: "Attempts of webhook deliveries, by result: delivered, retried (it is tried again), failed (for good) " +
			"or defect (of Levy: it is tried again).",
	}, []string{"result"})
	registry.MustRegister(attempts)
	for _, result := range []string{"delivered", "retried", "failed", "defect"} {
		attempts.WithLabelValues(result)
	}
	return func(result string) { attempts.WithLabelValues(result).Inc() }
}
