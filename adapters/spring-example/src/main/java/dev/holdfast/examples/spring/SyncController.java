package dev.holdfast.examples.spring;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.LockBusyException;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.spi.HoldLabel;
import dev.holdfast.spi.StoreException;
import java.time.Instant;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Starts the work. Only translates: what may run is decided by the lock. */
@RestController
class SyncController {
    private final Synchronisation sync;
    private final String pod;

    SyncController(Synchronisation sync, ClientConfig config) {
        this.sync = sync;
        this.pod = config.owner();
    }

    @PostMapping("/api/sync")
    ResponseEntity<Map<String, String>> all() {
        sync.all();
        return started("sync-all");
    }

    @PostMapping("/api/sync/project/{key}")
    ResponseEntity<Map<String, String>> project(@PathVariable String key) {
        sync.project(key);
        return started("sync-project-" + key);
    }

    @PostMapping("/api/changelog/sync")
    ResponseEntity<Map<String, String>> changelog() {
        sync.changelog();
        return started("changelog-sync");
    }

    private ResponseEntity<Map<String, String>> started(String job) {
        return ResponseEntity.accepted()
                .body(Map.of(
                        "job",
                        job,
                        "pod",
                        pod,
                        "since",
                        Instant.now().toString(),
                        "message",
                        job + " started on " + pod));
    }

    /** What was not done, and why. A store that fails is never "busy". */
    @RestControllerAdvice
    static class Refusals {
        @ExceptionHandler
        ResponseEntity<Map<String, String>> busy(LockBusyException e) {
            if (e.holders().isEmpty()) {
                return refused(HttpStatus.CONFLICT, "not started: others were first");
            }
            Holder holder = e.holders().get(0);
            String job = HoldLabel.of(holder.key().record(), holder.paths(), holder.metadata());
            return ResponseEntity.status(HttpStatus.CONFLICT)
                    .body(Map.of(
                            "job",
                            job,
                            "pod",
                            holder.owner(),
                            "since",
                            holder.grantedAt().toString(),
                            "error",
                            job + " already running on " + holder.owner()));
        }

        @ExceptionHandler({StoreException.class, ClientClosedException.class})
        ResponseEntity<Map<String, String>> unknown(RuntimeException e) {
            return refused(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        }

        @ExceptionHandler
        ResponseEntity<Map<String, String>> wrong(IllegalArgumentException e) {
            return refused(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
        }

        private static ResponseEntity<Map<String, String>> refused(HttpStatus status, String why) {
            return ResponseEntity.status(status).body(Map.of("error", why));
        }
    }
}
