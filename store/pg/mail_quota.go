package pg

// SentMails selects how many e-mails each organization without a partner has sent in 24 hours with its clients, as id and n.
const SentMails = `
	SELECT coalesce(o.parent_organization_id, o.id) AS id, count(*) AS n
	  FROM (SELECT organization_id FROM mails WHERE status = 'SENT' AND sent_at > now() - interval '24 hours'
	         UNION ALL
	        SELECT organization_id FROM onboarding_mails WHERE status = 'SENT' AND sent_at > now() - interval '24 hours') m
	  JOIN organizations o ON o.id = m.organization_id
	 GROUP BY 1`
