package dev.holdfast.server.demo;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Who works at the imagined company, and on what. */
record Teams(RandomGenerator random) {
    /** So that the deployer's metrics move too; everything else is in namespaces of its own. */
    private static final String DEPLOY = "deploy";

    private static final List<String> SERVICES = List.of("checkout", "search", "web/api", "web/assets", "payments");
    private static final List<String> PEOPLE = List.of("ana", "jonas", "mei", "priya", "tom");
    private static final List<String> PROJECTS = List.of("atlas", "beacon", "comet", "delta");
    private static final List<String> MONTHS = List.of("June", "July", "August", "September");

    /** One in so many syncs dies at work. */
    private static final int DEATHS = 8;
    /** One in so many deployments takes the whole stack, and everybody else waits. */
    private static final int WHOLE_STACK = 4;

    /** Everybody who works: each does one job after the other. */
    List<Worker> workers() {
        List<Worker> all = new ArrayList<>();
        for (String runner : List.of("ci-runner-2", "ci-runner-5", "ci-runner-7")) {
            all.add(new Worker(runner, () -> deployment(runner), () -> seconds(4, 12)));
        }
        for (int i = 0; i < 3; i++) {
            String pod = "billing-" + i;
            all.add(new Worker(pod, () -> invoices(pod), () -> seconds(3, 6)));
        }
        for (String pod : List.of("sync-6f9c-x2vqd", "sync-6f9c-8kwlz")) {
            all.add(new Worker(pod, () -> sync(pod), () -> seconds(4, 9)));
        }
        for (int i = 1; i <= 4; i++) {
            String web = "web-" + i;
            all.add(new Worker(web, () -> payment(web), () -> seconds(2, 5)));
        }
        for (String node : List.of("cache-a", "cache-b", "cache-c")) {
            all.add(new Worker(node, () -> warmUp(node), () -> seconds(5, 10)));
        }
        return all;
    }

    private Job deployment(String runner) {
        String service = pick(SERVICES);
        boolean whole = random.nextInt(WHOLE_STACK) == 0;
        String version = "4." + random.nextInt(1, 9) + "." + random.nextInt(20);
        LockKey stack = LockKey.of(DEPLOY, "stack:shop:env:prod");
        return job(
                whole ? stack : stack.at(service),
                Mode.EXCLUSIVE,
                runner,
                whole ? "upgrade of the whole stack to " + version : "deploy " + service + " " + version,
                Map.of(
                        "user", pick(PEOPLE),
                        "git_commit", String.format("%07x", random.nextInt(1 << 28)),
                        "ci_run", Integer.toString(random.nextInt(41_000, 42_000))),
                seconds(12, 35));
    }

    private Job invoices(String pod) {
        String month = pick(MONTHS);
        return job(
                LockKey.of("billing", "invoice-run"),
                Mode.EXCLUSIVE,
                pod,
                "invoices of " + month,
                Map.of("batch", Integer.toString(random.nextInt(1, 40))),
                seconds(20, 40));
    }

    private Job sync(String pod) {
        String project = pick(PROJECTS);
        Job job = job(
                LockKey.of("sync", "sync").at("project/" + project),
                Mode.EXCLUSIVE,
                pod,
                "nightly sync of " + project,
                Map.of("items", Integer.toString(random.nextInt(100, 9_000))),
                seconds(6, 15));
        return random.nextInt(DEATHS) == 0 ? job.dying() : job;
    }

    private Job payment(String web) {
        return job(
                LockKey.of("payments", "provider-api"),
                Mode.permit(2),
                web,
                "at most two calls at a time",
                Map.of("order", "A-" + random.nextInt(70_000, 80_000)),
                seconds(6, 12));
    }

    private Job warmUp(String node) {
        boolean rebuild = node.equals("cache-a");
        return job(
                LockKey.of("catalog", "search-index"),
                rebuild ? Mode.EXCLUSIVE : Mode.SHARED,
                node,
                rebuild ? "rebuild of the index" : "warm-up from the index",
                Map.of(),
                seconds(8, 16));
    }

    private Job job(LockKey key, Mode mode, String owner, String reason, Map<String, String> metadata, Duration work) {
        return new Job(key, mode, owner, reason, metadata, work, Job.End.RELEASED);
    }

    private String pick(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private Duration seconds(int from, int to) {
        return Duration.ofMillis(random.nextInt(from * 1000, to * 1000));
    }

    /** One who does one job after the other, with a pause between two of them. */
    record Worker(String name, Supplier<Job> jobs, Supplier<Duration> pause) {}
}
