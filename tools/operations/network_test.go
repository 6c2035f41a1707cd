package operations

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	networkingv1 "k8s.io/api/networking/v1"
)

// policies are what the chart permits to reach each process, and each process to reach: ports, and after them where.
func policies(t *testing.T, set ...string) map[string][2][]string {
	t.Helper()
	objects, err := render(t, values(t, set...))
	require.NoError(t, err)
	found := map[string][2][]string{}
	for _, object := range objects {
		policy, ok := object.(*networkingv1.NetworkPolicy)
		if !ok {
			continue
		}
		component := policy.Spec.PodSelector.MatchLabels["app.kubernetes.io/component"]
		require.Equal(t, "levy-"+component, policy.Name)
		require.Equal(t, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress},
			policy.Spec.PolicyTypes, "what no rule permits is refused")
		var in, out []string
		for _, rule := range policy.Spec.Ingress {
			in = append(in, rulesOf(rule.Ports, rule.From))
		}
		for _, rule := range policy.Spec.Egress {
			out = append(out, rulesOf(rule.Ports, rule.To))
		}
		found[component] = [2][]string{in, out}
	}
	return found
}

func rulesOf(ports []networkingv1.NetworkPolicyPort, peers []networkingv1.NetworkPolicyPeer) string {
	var words []string
	for _, port := range ports {
		word := string(*port.Protocol)
		if port.Port != nil {
			word += fmt.Sprintf(" %d", port.Port.IntValue())
		}
		words = append(words, word)
	}
	for _, peer := range peers {
		switch {
		case peer.IPBlock != nil:
			words = append(words, peer.IPBlock.CIDR)
		case peer.NamespaceSelector != nil:
			words = append(words, peer.NamespaceSelector.MatchLabels["name"])
		}
	}
	return strings.Join(words, ", ")
}

// Each process reaches what it needs and nothing else, and nobody but its node reaches more than the API.
func TestTheChartPermitsWhatEachProcessNeeds(t *testing.T) {
	names, database, temporal := "UDP 53, TCP 53", "TCP 5432", "TCP 7233"
	require.Equal(t, map[string][2][]string{
		"api":     {{"TCP 8080"}, {names, database, temporal}},
		"worker":  {nil, {names, database, temporal, "TCP, 0.0.0.0/0, 2000::/3"}},
		"migrate": {nil, {names, database, temporal}},
		"keys":    {nil, {names, database}},
	}, policies(t))

	found := policies(t, "networkPolicy.clients[0].namespaceSelector.matchLabels.name=ingress",
		"networkPolicy.metrics[0].namespaceSelector.matchLabels.name=monitoring",
		"networkPolicy.database.port=6432", "networkPolicy.database.to[0].ipBlock.cidr=10.1.2.3/32",
		"networkPolicy.temporal.to[0].namespaceSelector.matchLabels.name=temporal",
		"networkPolicy.egress[0].ports[0].port=4318", "networkPolicy.egress[0].ports[0].protocol=TCP",
		"settings.LEVY_OIDC_ISSUER=https://people.example", "keys.claim=")
	database, temporal = "TCP 6432, 10.1.2.3/32", "TCP 7233, temporal"
	require.Equal(t, [2][]string{
		{"TCP 8080, ingress", "TCP 9180, monitoring"}, {names, database, temporal, "TCP 443", "TCP 4318"},
	}, found["api"])
	require.Equal(t, []string{"TCP 9180, monitoring"}, found["worker"][0])
	require.Equal(t, [2][]string{nil, {names, database, temporal, "TCP 4318"}}, found["migrate"])
	require.Len(t, found, 3)
	require.Empty(t, policies(t, "networkPolicy.enabled=false"))
}

// The worker calls receivers of webhooks at public addresses; no service of the cluster is among them.
func TestTheChartKeepsTheWorkerOutOfPrivateNetworks(t *testing.T) {
	objects, err := render(t, values(t))
	require.NoError(t, err)
	for _, object := range objects {
		policy, ok := object.(*networkingv1.NetworkPolicy)
		if !ok || policy.Name != "levy-worker" {
			continue
		}
		block := policy.Spec.Egress[len(policy.Spec.Egress)-1].To[0].IPBlock
		for _, private := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"} {
			require.True(t, slices.Contains(block.Except, private), private)
		}
		return
	}
	require.Fail(t, "the worker has no policy")
}
