package dev.holdfast.server.demo;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The state of four stacks in three environments, with versions from the last months, and deployments now and then. */
public final class DemoStates {
    private static final Stack SHOP_DEV = new Stack("shop", "dev");
    private static final Stack SHOP_STAGING = new Stack("shop", "staging");
    private static final Stack SHOP_PROD = new Stack("shop", "prod");
    private static final Stack NETWORK_STAGING = new Stack("network", "staging");
    private static final Stack NETWORK_PROD = new Stack("network", "prod");
    private static final Stack PAYMENTS_STAGING = new Stack("payments", "staging");
    private static final Stack PAYMENTS_PROD = new Stack("payments", "prod");
    /** Nobody remembers what this was for. */
    private static final Stack SEARCH_DEV = new Stack("search", "dev");

    private static final String APPLY = "OperationTypeApply";
    private static final Duration DEPLOYS_FOR = Duration.ofSeconds(40);
    /** With a change of a database in it. */
    private static final Duration MIGRATES_FOR = Duration.ofMinutes(6);

    private final StateManager states;
    private DemoStack staging = shop(SHOP_STAGING, 8, "4.4.0-rc1", "db.t4g.medium", 2, true);
    private DemoStack payments = shop(PAYMENTS_PROD, 32, "2.9.0", "db.r6g.2xlarge", 3, false);

    DemoStates(StateManager states) {
        this.states = states;
    }

    /** Saves what was there before the demo, at the times when it was. */
    public static void fill(DocumentStore documents, StateConfig keeping) {
        DemoTime time = new DemoTime(Duration.ofDays(120));
        // Locks of the past need a store of the past: the tokens in these versions must be below all that come now.
        LockEngine engine = LockEngine.start(MemoryStore.shared(time), EngineConfig.DEFAULT);
        try (LockClient client = LockService.of(engine).client(ClientConfig.DEFAULT.withOwner("demo"));
                StateManager past = StateManager.on(client, documents, keeping.withClock(time))) {
            save(past, time, "P117D", shop(SEARCH_DEV, 1, "0.1.0", "db.t4g.micro", 1, true), "sam@laptop-2");
            save(past, time, "PT95H", network(NETWORK_STAGING, 1, 2), "mia@ci-runner-3");
            save(past, time, "PT94H", network(NETWORK_PROD, 1, 2), "mia@ci-runner-3");
            save(past, time, "PT93H", shop(PAYMENTS_PROD, 30, "2.7.3", "db.r6g.xlarge", 3, true), "gitlab-ci-55102");
            save(past, time, "PT71H", shop(SHOP_STAGING, 4, "4.1.0", "db.t4g.medium", 2, false), "github-actions-8790");
            save(past, time, "PT70H", shop(SHOP_PROD, 11, "4.1.0", "db.r6g.large", 3, false), "github-actions-8791");
            save(past, time, "PT50H", shop(PAYMENTS_PROD, 31, "2.8.0", "db.r6g.xlarge", 3, true), "gitlab-ci-55160");
            save(past, time, "PT47H", shop(SHOP_STAGING, 5, "4.2.0", "db.t4g.medium", 2, true), "github-actions-8812");
            save(past, time, "PT46H", shop(SHOP_PROD, 12, "4.2.0", "db.r6g.large", 3, true), "github-actions-8813");
            save(past, time, "PT26H", shop(SHOP_DEV, 61, "4.4.0-dev", "db.t4g.micro", 1, false), "priya@laptop-4");
            save(past, time, "PT23H", network(NETWORK_STAGING, 2, 3), "mia@ci-runner-3");
            save(past, time, "PT22H", shop(PAYMENTS_STAGING, 18, "2.9.0", "db.t4g.large", 2, false), "gitlab-ci-55171");
            save(past, time, "PT6H", shop(SHOP_STAGING, 6, "4.3.0", "db.t4g.medium", 3, true), "github-actions-8836");
            save(past, time, "PT5H", shop(SHOP_STAGING, 7, "4.3.1", "db.t4g.medium", 2, true), "github-actions-8840");
            save(past, time, "PT4H10M", shop(SHOP_PROD, 13, "4.3.1", "db.r6g.xlarge", 4, false), "github-actions-8841");
            save(past, time, "PT3H", shop(SHOP_DEV, 62, "4.4.0-dev", "db.t4g.micro", 1, true), "priya@laptop-4");
            save(past, time, "PT2H", shop(PAYMENTS_PROD, 32, "2.9.0", "db.r6g.2xlarge", 3, false), "gitlab-ci-55180");
            save(past, time, "PT51M", network(NETWORK_PROD, 2, 3), "mia@ci-runner-3");
            save(past, time, "PT12M", shop(SHOP_STAGING, 8, "4.4.0-rc1", "db.t4g.medium", 2, true), RC_RUN);
        }
    }

    private static final String RC_RUN = "github-actions-8846";

    private static void save(StateManager states, DemoTime time, String ago, DemoStack version, String by) {
        time.behind(Duration.parse(ago));
        SaveOutcome saved = states.saveUnlocked(version.stack(), version.bytes(), Provenance.of(by, APPLY));
        if (!(saved instanceof SaveOutcome.Saved)) {
            throw new IllegalStateException("new documents refused " + version.stack() + ": " + saved);
        }
    }

    /** One deployment to staging: under its lock for a while, with a new version at its end. */
    void deploy() throws Exception {
        int run = 8_850 + staging.serial();
        DemoStack next = staging.running("4.4." + (staging.serial() - 7));
        deploy(next, by("github-actions", run, "priya", "ci-runner-5"), DEPLOYS_FOR);
        staging = next;
    }

    /** One that takes its time, in production. */
    void migrate() throws Exception {
        int run = 55_150 + payments.serial();
        DemoStack next = payments.running("2.9." + (payments.serial() - 31));
        deploy(next, by("gitlab-ci", run, "anna", "ci-runner-8"), MIGRATES_FOR);
        payments = next;
    }

    private void deploy(DemoStack next, DeployMetadata by, Duration length) throws Exception {
        states.deployRun(DeployKey.of(next.stack()), by, deployment -> {
            TimeUnit.MILLISECONDS.sleep(length.toMillis());
            return next.bytes();
        });
    }

    private static DeployMetadata by(String system, int run, String user, String host) {
        return new DeployMetadata(
                system + "-" + run,
                Optional.of(user),
                Optional.of(system),
                Optional.of(Integer.toString(run)),
                Optional.of("https://ci.example.com/runs/" + run),
                Optional.empty(),
                Optional.of(String.format("%07x", run * 7_919)),
                Optional.of("main"),
                host,
                4_242);
    }

    private static DemoStack shop(
            Stack stack, int serial, String image, String databaseClass, int nodes, boolean cache) {
        return new DemoStack(stack, serial, image, databaseClass, nodes, cache);
    }

    private static DemoStack network(Stack stack, int serial, int zones) {
        return new DemoStack(stack, serial, "", "", zones, false);
    }
}
