package dev.holdfast.examples.spring;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.HoldLabel;
import dev.holdfast.spi.ScanRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Who works on what, on any pod. */
@RestController
class LocksController {
    private final Inspector inspector;

    LocksController(LockClient locks) {
        this.inspector = locks.inspect();
    }

    @GetMapping("/api/locks/status")
    Map<String, List<Map<String, String>>> status(@RequestParam(defaultValue = "") String lockName) {
        List<Map<String, String>> active = inspector.list(ScanRequest.all().busy()).locks().stream()
                .flatMap(LocksController::shown)
                .filter(lock -> lockName.isEmpty() || lockName.equals(lock.get("lock_name")))
                .toList();
        return Map.of("active", active);
    }

    private static Stream<Map<String, String>> shown(LockView lock) {
        return lock.holders().stream().map(holder -> shown(lock, holder));
    }

    private static Map<String, String> shown(LockView lock, Holder holder) {
        return Map.of(
                "lock_name", HoldLabel.of(lock.key(), holder.paths(), holder.metadata()),
                "pod_id", holder.owner(),
                "acquired_at", holder.grantedAt().toString(),
                "expires_at", holder.expiresAt().map(Instant::toString).orElse("never"));
    }

    @GetMapping("/api/locks/history")
    List<Map<String, String>> history(@RequestParam(defaultValue = "50") int limit) {
        return inspector.history(EventLog.EventQuery.newest(limit)).stream()
                .map(EventLog.StoredEvent::event)
                .map(LocksController::shown)
                .toList();
    }

    private static Map<String, String> shown(LockEvent event) {
        return Map.of(
                "event", event.type().label(),
                "lock_name", HoldLabel.of(event.key(), event.scope().paths(), event.metadata()),
                "pod_id", event.owner(),
                "at", event.at().toString());
    }

    @PostMapping("/api/locks/cleanup")
    Map<String, Integer> cleanup() {
        Inspector.CleanupReport report = inspector.cleanup(false);
        return Map.of("ended", report.judged(), "removed", report.removed());
    }
}
