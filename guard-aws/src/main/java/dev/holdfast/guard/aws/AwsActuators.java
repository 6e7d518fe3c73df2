package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.ActuatorFactory;
import dev.holdfast.guard.actuator.ActuatorSettings;
import java.util.Map;
import java.util.Set;

/** The actuators {@code ec2} and {@code rds}. */
public final class AwsActuators implements ActuatorFactory {
    @Override
    public Set<String> types() {
        return Set.of("ec2", "rds");
    }

    @Override
    public Actuator make(String type, String name, ActuatorSettings settings, Map<String, String> environment) {
        return type.equals("ec2") ? new Ec2Actuator(name, settings) : new RdsActuator(name, settings);
    }
}
