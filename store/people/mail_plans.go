package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/models"
	"levy/store/pg"
)

// mailPlanInterval is the time between two looks for what people are to be told.
const mailPlanInterval = 5 * time.Minute

// zoneOfPerson is the time zone of a person u with preferences p. It is the chosen one, else that of the only organization of
// the person, else UTC. The pages of the console have the same one.
const zoneOfPerson = `coalesce(CASE WHEN p.utc_chosen OR p.time_zone <> 'UTC' THEN p.time_zone END, (
	SELECT min(t.time_zone)
	  FROM memberships b
	  JOIN organizations a ON a.id = b.organization_id AND a.status = 'ACTIVE'
	  LEFT JOIN organizations x ON x.id = a.parent_organization_id
	  LEFT JOIN organization_settings t ON t.organization_id = a.id
	 WHERE b.user_id = u.id AND (x.id IS NULL OR x.status = 'ACTIVE')
	HAVING count(*) = 1), 'UTC')`

// planPeople are the people who may get a mail about work, with the time of their zone. reach are the organizations that wish
// e-mails: each with its people (home) and with those of its partner under a grant. acts says whether these change records.
// A zone that the database does not know is UTC.
const planPeople = `
	people AS (
	  SELECT u.id, u.name, u.staff_role IS NOT NULL AS staff, coalesce(p.mails_off, '[]') AS off, coalesce(p.digest_day, 1) AS day,
	         now() AT TIME ZONE coalesce(z.name, 'UTC') AS at
	    FROM users u
	    LEFT JOIN preferences p ON p.user_id = u.id
	   CROSS JOIN LATERAL (SELECT ` + zoneOfPerson + ` AS name) w
	    LEFT JOIN pg_timezone_names z ON z.name = w.name
	   WHERE u.status = 'ACTIVE'),
	reach AS (
	  SELECT o.id, o.id AS home, true AS acts
	    FROM organizations o LEFT JOIN organizations x ON x.id = o.parent_organization_id
	   WHERE o.status = 'ACTIVE' AND NOT o.disable_emails AND (x.id IS NULL OR x.status = 'ACTIVE')
	   UNION ALL
	  SELECT o.id, o.parent_organization_id, o.onboarding_status = 'IN_PROGRESS' OR g.role IN ('preparer', 'approver')
	    FROM organizations o
	    JOIN organizations x ON x.id = o.parent_organization_id AND x.status = 'ACTIVE'
	    JOIN client_grants g ON g.organization_id = o.id
	   WHERE o.status = 'ACTIVE' AND NOT o.disable_emails AND g.ended_at IS NULL)`

// planMails writes a mail for each row of a statement: person, organization or NULL, and occasion. A mail that exists
// already stays. All processes may do so at the same time, and as often as they want.
const planMails = `, found (user_id, organization_id, occasion) AS (%s)
	INSERT INTO mails (id, organization_id, user_id, kind, occasion, status)
	SELECT 'mail_' || replace(gen_random_uuid()::text, '-', ''), f.organization_id, f.user_id, '%s', f.occasion, 'PLANNED'
	  FROM found f JOIN people p ON p.id = f.user_id
	 WHERE /* guard: mails: none is planned of a kind that was turned off */ NOT p.off @> '"%[2]s"' AND NOT EXISTS (SELECT FROM mails m
	       WHERE m.user_id = f.user_id AND m.kind = '%[2]s' AND m.occasion = f.occasion)
	ON CONFLICT DO NOTHING`

// hours are those of the last day that have ended, with two minutes for database transactions that began in them.
const hours = `%s >= date_trunc('hour', now()) - interval '24 hours' AND %[1]s < date_trunc('hour', now() - interval '2 minutes')`

// hourOf is the occasion of a mail about an hour, see models.MailHour.
const hourOf = `to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24')`

// mailPlans select who is told what, by the kind of mail. The mail of a person counts for the organization whose role the
// person has. People of staff belong to none, and are told nothing of single returns.
var mailPlans = map[models.MailKind]string{
	models.MailDigest: fmt.Sprintf(`
	  SELECT p.id, (SELECT min(m.organization_id::text) FROM memberships m WHERE m.user_id = p.id), to_char(d.day, 'IYYY-"W"IW')
	    FROM people p
	   CROSS JOIN LATERAL (SELECT (p.at - interval '%d hours')::date - late AS day FROM generate_series(0, 1) late) d
	   WHERE extract(isodow FROM d.day) = p.day
	     AND (p.staff OR EXISTS (SELECT FROM memberships m WHERE m.user_id = p.id))`, models.DigestHour),
	models.MailDueDates: fmt.Sprintf(`
	  SELECT p.id, min(m.organization_id::text), p.at::date::text
	    FROM (SELECT DISTINCT r.home, f.due_date FROM filings f JOIN reach r ON r.id = f.organization_id AND r.acts
	           WHERE f.status IN ('UNFILED', 'PAUSED')
	             AND f.due_date BETWEEN (now() AT TIME ZONE 'UTC')::date - 1 AND (now() AT TIME ZONE 'UTC')::date + %[2]d + 1) d
	    JOIN memberships m ON m.organization_id = d.home AND m.role <> 'viewer'
	    JOIN people p ON p.id = m.user_id AND p.at::time >= make_time(%[1]d, 0, 0)
	     AND d.due_date - p.at::date IN (0, %[3]d, %[2]d)
	   GROUP BY p.id, p.at`, models.DigestHour, models.DueSoon, models.DueTomorrow),
	models.MailRejections: fmt.Sprintf(`
	  SELECT m.user_id, min(m.organization_id::text), e.hour
	    FROM (SELECT DISTINCT r.home, %s AS hour FROM filing_history h JOIN reach r ON r.id = h.organization_id AND r.acts
	           WHERE h.to_status = 'ISSUE' AND %s) e
	    JOIN memberships m ON m.organization_id = e.home AND m.role <> 'viewer'
	   GROUP BY 1, 3`, fmt.Sprintf(hourOf, "h.at"), fmt.Sprintf(hours, "h.at")),
	models.MailMentions: fmt.Sprintf(`
	  SELECT n.user_id, min(m.organization_id::text), %s
	    FROM comment_mentions n
	    JOIN comments c ON c.organization_id = n.organization_id AND c.id = n.comment_id AND c.withdrawn_at IS NULL
	    LEFT JOIN reach r ON r.id = c.organization_id
	    LEFT JOIN memberships m ON m.organization_id = r.home AND m.user_id = n.user_id
	   WHERE n.done_at IS NULL AND %s
	   GROUP BY 1, 3`, fmt.Sprintf(hourOf, "c.created_at"), fmt.Sprintf(hours, "c.created_at")),
	models.MailAssignments: fmt.Sprintf(`
	  SELECT p.id, min(m.organization_id::text), %s
	    FROM exception_notes w
	    JOIN people p ON p.name = w.assignee AND p.id::text IS DISTINCT FROM w.assigned_by
	    LEFT JOIN reach r ON r.id = w.organization_id
	    LEFT JOIN memberships m ON m.organization_id = r.home AND m.user_id = p.id
	   WHERE w.done_at IS NULL AND %s AND (p.staff OR m.user_id IS NOT NULL)
	   GROUP BY 1, 3`, fmt.Sprintf(hourOf, "w.assigned_at"), fmt.Sprintf(hours, "w.assigned_at")),
}

// PlanMails writes the mails about work that are due, each of them once. Another process that plans a kind at the same time
// does it for both. A kind that fails, or takes too long, leaves the others.
func (s *Store) PlanMails(ctx context.Context) error {
	var failed []error
	for _, kind := range models.WorkMails {
		if err := s.planMailsOf(models.AcrossOrganizations(ctx), kind); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", kind, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Store) planMailsOf(ctx context.Context, kind models.MailKind) error {
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		var mine bool
		err := s.db.QueryRow(ctx, "SELECT "+pg.LockMailPlans.Try("'"+string(kind)+"'")).Scan(&mine)
		if err != nil || !mine {
			return err
		}
		_, err = s.db.Exec(ctx, "WITH"+planPeople+fmt.Sprintf(planMails, mailPlans[kind], kind))
		return err
	}))
}

// KeepPlanningMails plans mails until ctx ends.
func (s *Store) KeepPlanningMails(ctx context.Context) {
	pg.Repeat(ctx, "planning e-mails", mailPlanInterval, func(ctx context.Context) (bool, error) {
		return false, s.PlanMails(ctx)
	})
}
