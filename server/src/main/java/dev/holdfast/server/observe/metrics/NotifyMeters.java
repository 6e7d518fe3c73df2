package dev.holdfast.server.observe.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;

/** What became of what webhooks are told. Safe for any thread. */
public final class NotifyMeters {
    /** As many as can be configured, and the one that is there before any is. */
    private static final int MAX_WEBHOOKS = 100;

    private final MeterRegistry registry;
    private final BoundedLabels<String, WebhookMeters> webhooks;
    private volatile boolean sending;

    public enum Outcome {
        DELIVERED,
        RETRIED,
        /** It is not asked any more. */
        GIVEN_UP
    }

    NotifyMeters(MeterRegistry registry) {
        this.registry = registry;
        this.webhooks = new BoundedLabels<>(MAX_WEBHOOKS, "other", WebhookMeters::new);
        expect("none");
        Gauge.builder("holdfast.notify.sender", this, it -> it.sending ? 1 : 0)
                .description("1 on the replica that sends the webhooks, 0 on the others")
                .strongReference(true)
                .register(registry);
    }

    /** There is such a webhook. */
    public void expect(String webhook) {
        WebhookMeters unused = webhooks.of(webhook);
    }

    public void count(String webhook, Outcome outcome) {
        webhooks.of(webhook).outcomes.of(outcome).increment();
    }

    /** Something that happened then has not been delivered yet. */
    public void behind(String webhook, Instant since) {
        webhooks.of(webhook).since = since;
    }

    /** Everything was delivered or given up, as far as this replica knows. */
    public void caughtUp(String webhook) {
        webhooks.of(webhook).since = Instant.MAX;
    }

    public void sending(boolean now) {
        sending = now;
    }

    private final class WebhookMeters {
        private final MeterPerConstant<Outcome, Counter> outcomes;
        private volatile Instant since = Instant.MAX;

        WebhookMeters(String webhook) {
            outcomes = new MeterPerConstant<>(
                    Outcome.class,
                    outcome -> Counter.builder("holdfast.notify.deliveries")
                            .description("Deliveries to webhooks, and attempts that were not accepted, by outcome")
                            .tags("webhook", webhook, "outcome", outcome)
                            .register(registry));
            Gauge.builder("holdfast.notify.lag", this, WebhookMeters::lag)
                    .description("Age of the oldest event that was not delivered yet")
                    .baseUnit("seconds")
                    .tags("webhook", webhook)
                    .strongReference(true)
                    .register(registry);
        }

        private double lag() {
            Instant behind = since;
            return behind.equals(Instant.MAX)
                    ? 0
                    : Math.max(0, Duration.between(behind, Instant.now()).toMillis() / 1e3);
        }
    }
}
