package dev.holdfast.bench.peers.worker;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.bench.peers.server.ProcessTime;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What this process and its server have used since the meter was started. */
final class Meter {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final List<Long> servers;
    private final double server;
    private final long client;
    private final long start;

    Meter(List<Long> servers) {
        this.servers = servers;
        this.server = ProcessTime.seconds(servers);
        this.client = SYSTEM.getProcessCpuTime();
        this.start = System.nanoTime();
    }

    /** Rate and processor time of this many operations. */
    Figures read(String label, double operations) {
        double seconds = (System.nanoTime() - start) / 1e9;
        double ours = (SYSTEM.getProcessCpuTime() - client) / 1e3;
        double theirs = (ProcessTime.seconds(servers) - server) * 1e6;
        return Figures.of(label, Figures.RATE, operations / seconds)
                .with(Figures.CLIENT, ours / Math.max(1, operations))
                .with(Figures.SERVER, theirs / Math.max(1, operations));
    }
}
