package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.ActResult;
import dev.holdfast.guard.ActTarget;
import dev.holdfast.guard.Actuator;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Settling;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and starts an EC2 instance: the database's identifier, or the target's setting {@code instance_id}. Tokens stand in the
 * keys of tags, {@code holdfast:fencing-token:42}; see {@link FencedAct} for what that protects from.
 */
public final class Ec2Actuator implements Actuator {
    private static final Logger LOG = LoggerFactory.getLogger(Ec2Actuator.class);
    private static final String INSTANCE_ID = "i-[0-9a-f]{8}([0-9a-f]{9})?";

    private final String name;
    private final AwsQuery ec2;
    private final Settling settling;

    /** Reads its settings, noting what is wrong with them there. */
    public Ec2Actuator(String name, ActuatorSettings settings) {
        this.name = name;
        ec2 = new AwsQuery("ec2", "2016-11-15", settings);
        settling = Settling.from(settings, Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActResult stop(ActTarget target) {
        return act(target, Aim.STOP);
    }

    @Override
    public ActResult start(ActTarget target) {
        return act(target, Aim.START);
    }

    @Override
    public ResourceState state(ActTarget target) {
        try {
            return instance(target).look(Deadline.in(target.timeout())).state();
        } catch (ActFailure e) {
            LOG.warn("The state of '{}' is not known: {}", target.dbIdentifier(), e.getMessage());
            return ResourceState.UNKNOWN;
        }
    }

    private ActResult act(ActTarget target, Aim aim) {
        try {
            return new FencedAct(instance(target), target, aim, settling).run();
        } catch (ActFailure e) {
            return e.asResult();
        }
    }

    private Instance instance(ActTarget target) throws ActFailure {
        String id = target.settings().getOrDefault("instance_id", target.dbIdentifier());
        if (!id.matches(INSTANCE_ID)) {
            throw new ActFailure("'" + id + "' is not an EC2 instance id such as i-0123456789abcdef0; register the"
                    + " database with its instance_id");
        }
        return new Instance(ec2, id);
    }

    private record Instance(AwsQuery ec2, String id) implements FencedResource {
        @Override
        public String shown() {
            return "instance " + id;
        }

        @Override
        public FencedState look(Deadline deadline) throws ActFailure {
            AwsXml answer = call("DescribeInstances", Map.of("InstanceId.1", id), deadline);
            for (AwsXml reservation :
                    answer.at("reservationSet").map(set -> set.all("item")).orElseThrow(this::none)) {
                AwsXml instance = reservation.at("instancesSet", "item").orElseThrow(this::none);
                if (id.equals(instance.text("instanceId"))) {
                    String word = instance.text("instanceState", "name");
                    return new FencedState(state(word), word, TokenTags.of(instance.at("tagSet"), "item", "key", "value"));
                }
            }
            throw none();
        }

        @Override
        public void tag(long token, Deadline deadline) throws ActFailure {
            call(
                    "CreateTags",
                    Map.of("ResourceId.1", id, "Tag.1.Key", TokenTags.key(token), "Tag.1.Value", Long.toString(token)),
                    deadline);
        }

        @Override
        public void untag(List<String> keys, Deadline deadline) throws ActFailure {
            Map<String, String> parameters = new HashMap<>(Map.of("ResourceId.1", id));
            for (String key : keys) {
                parameters.put("Tag." + parameters.size() + ".Key", key);
            }
            // Without a key EC2 would remove every tag the instance has.
            if (!keys.isEmpty()) {
                ec2.sent("DeleteTags", parameters, shown(), deadline);
            }
        }

        @Override
        public Optional<ActFailure> order(Aim aim, Deadline deadline) throws ActFailure {
            return ec2.attempt(action(aim), Map.of("InstanceId.1", id), shown(), deadline);
        }

        @Override
        public void rehearse(Aim aim, Deadline deadline) throws ActFailure {
            try {
                ec2.call(action(aim), Map.of("InstanceId.1", id, "DryRun", "true"), deadline);
            } catch (AwsProblem e) {
                // This is how EC2 says that it would have worked.
                if (!e.code().equals("DryRunOperation")) {
                    throw AwsRefusals.of(action(aim), shown(), e);
                }
            }
        }

        private AwsXml call(String action, Map<String, String> parameters, Deadline deadline) throws ActFailure {
            try {
                return ec2.call(action, parameters, deadline);
            } catch (AwsProblem e) {
                throw AwsRefusals.of(action, shown(), e);
            }
        }

        private static String action(Aim aim) {
            return aim == Aim.STOP ? "StopInstances" : "StartInstances";
        }

        private ActFailure none() {
            return new ActFailure("EC2 does not describe " + shown());
        }

        private static ResourceState state(String word) {
            return switch (word) {
                case "pending" -> ResourceState.STARTING;
                case "running" -> ResourceState.RUNNING;
                case "stopping" -> ResourceState.STOPPING;
                case "stopped" -> ResourceState.STOPPED;
                // Terminated and on its way there: neither stopped, for it cannot be started, nor running.
                default -> ResourceState.UNKNOWN;
            };
        }
    }
}
