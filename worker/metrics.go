package worker

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Metrics are the metrics of the dispatcher, the relays and the reconciler.
type Metrics struct {
	offers          *prometheus.CounterVec // result
	queued          prometheus.Gauge
	starts          *prometheus.CounterVec // by, result
	batchSize       *prometheus.HistogramVec
	startTime       prometheus.Histogram
	leasedRows      prometheus.Counter
	failedCalls     *prometheus.CounterVec // call
	breakerOpen     prometheus.Gauge
	replacedBatches prometheus.Counter
	replacedRuns    *prometheus.CounterVec // workflow
}

// NewMetrics registers the metrics. Call it once per registry.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	metrics := promauto.With(registry)
	return &Metrics{
		offers: metrics.NewCounterVec(prometheus.CounterOpts{
			Name: "levy_dispatcher_offers_total",
			Help: "Accepted transactions offered to the dispatcher: queued, or left to the relay because " +
				"the queue was full, the breaker open, the process draining, or the wait too long.",
		}, []string{"result"}),
		queued: metrics.NewGauge(prometheus.GaugeOpts{
			Name: "levy_dispatcher_queued",
			Help: "Transactions waiting in the dispatcher.",
		}),
		starts: metrics.NewCounterVec(prometheus.CounterOpts{
			Name: "levy_batch_starts_total",
			Help: "Start calls for batches, by dispatcher, relay, or the relay of the background: started, failed.",
		}, []string{"by", "result"}),
		batchSize: metrics.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "levy_batch_size",
			Help:    "Transactions per start call.",
			Buckets: []float64{1, 2, 5, 10, 25, 50, 100, 250, 500},
		}, []string{"by"}),
		startTime: metrics.NewHistogram(prometheus.HistogramOpts{
			Name:    "levy_batch_start_seconds",
			Help:    "Duration of start calls.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
		}),
		leasedRows: metrics.NewCounter(prometheus.CounterOpts{
			Name: "levy_relay_leased_rows_total",
			Help: "Outbox rows whose time had come and that the relay took.",
		}),
		failedCalls: metrics.NewCounterVec(prometheus.CounterOpts{
			Name: "levy_outbox_call_failures_total",
			Help: "Failed calls of dispatcher and relay to the outbox.",
		}, []string{"call"}),
		breakerOpen: metrics.NewGauge(prometheus.GaugeOpts{
			Name: "levy_start_breaker_open",
			Help: "1 while start calls are suspended because Temporal does not answer.",
		}),
		replacedBatches: metrics.NewCounter(prometheus.CounterOpts{
			Name: "levy_relay_replaced_batches_total",
			Help: "Batches that were open and did nothing for minutes, and whose transactions left with a new one.",
		}),
		replacedRuns: metrics.NewCounterVec(prometheus.CounterOpts{
			Name: "levy_replaced_runs_total",
			Help: "Open runs that were not handed their workflow task for minutes while others of their task queue were, " +
				"and that were ended to be started anew.",
		}, []string{"workflow"}),
	}
}
