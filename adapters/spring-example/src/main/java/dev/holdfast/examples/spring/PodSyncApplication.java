package dev.holdfast.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * A web service that runs as several pods, of which one synchronises at a time. Its locks are in its own database.
 *
 * <pre>
 *   POST /api/sync                 all projects     202 with who works, or 409 with who already does and since when
 *   POST /api/sync/project/KEY     one project
 *   POST /api/changelog/sync       the changelog, which may run beside them
 *   GET  /api/locks/status         who works on what, on any pod; ?lockName=sync-all for one
 *   GET  /api/locks/history        what happened, newest first
 *   POST /api/locks/cleanup        tidies up what has expired, which also happens by itself
 *   GET  /actuator/holdfast        what this pod holds and waits for
 * </pre>
 */
@SpringBootApplication
@EnableScheduling
public class PodSyncApplication {
    /** Serves until it is told to end. */
    public static void main(String[] arguments) {
        SpringApplication.run(PodSyncApplication.class, arguments);
    }
}
