package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.StopOrStart;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stops and starts an EC2 instance: the database's identifier, or the target's setting {@code instance_id}.
 */
final class Ec2Actuator extends AwsActuator {
    private static final String INSTANCE_ID = "i-[0-9a-f]{8}([0-9a-f]{9})?";

    Ec2Actuator(String name, ActuatorSettings settings) {
        super(name, "ec2", "2016-11-15", Duration.ofSeconds(2), settings);
    }

    @Override
    FencedResource resource(ActTarget target, AwsQuery service) throws ActFailure {
        String id = target.settings().getOrDefault("instance_id", target.dbIdentifier());
        if (!id.matches(INSTANCE_ID)) {
            throw new ActFailure("'" + id + "' is not an EC2 instance id such as i-0123456789abcdef0; register the"
                    + " database with its instance_id");
        }
        return new Instance(service, id);
    }

    private record Instance(AwsQuery service, String id) implements FencedResource {
        @Override
        public String shown() {
            return "instance " + id;
        }

        @Override
        public State look(Deadline deadline) throws ActFailure {
            AwsXml answer = call("DescribeInstances", parameters(), deadline);
            for (AwsXml reservation :
                    answer.at("reservationSet").map(set -> set.all("item")).orElseThrow(this::none)) {
                AwsXml instance = reservation.at("instancesSet", "item").orElseThrow(this::none);
                if (id.equals(instance.text("instanceId"))) {
                    String word = instance.text("instanceState", "name");
                    return new State(state(word), word, TokenTags.of(instance.at("tagSet"), "item", "key", "value"));
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
                service.sent("DeleteTags", parameters, shown(), deadline);
            }
        }

        @Override
        public void rehearse(StopOrStart aim, Deadline deadline) throws ActFailure {
            try {
                service.call(action(aim), Map.of("InstanceId.1", id, "DryRun", "true"), deadline);
            } catch (AwsProblem e) {
                // This is how EC2 says that it would have worked.
                if (!e.code().equals("DryRunOperation")) {
                    throw e.refusal(action(aim), shown());
                }
            }
        }

        @Override
        public String action(StopOrStart aim) {
            return aim == StopOrStart.STOP ? "StopInstances" : "StartInstances";
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of("InstanceId.1", id);
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
