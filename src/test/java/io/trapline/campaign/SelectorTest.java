package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.HostProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hosts a selector means, through a campaign file. */
class SelectorTest {
    private static final HostProfile HOST =
            Machines.host("kunpeng", "6.12.1-cloud", Machines.D35_KUNPENG916).labelled(Map.of("rack", "b"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    kernel=6.12.1                  |
                    kernel=6.12                    |
                    kernel=6                       |
                    kernel=6.12.1.0                |
                    kernel=6.1                     | kernel is 6.12.1, not kernel=6.1
                    kernel!=6.12                   | kernel is 6.12.1, not kernel!=6.12
                    kernel!=6.13                   |
                    kernel>=6.9                    |
                    kernel>=6.12.2                 | kernel is 6.12.1, not kernel>=6.12.2
                    kernel>6.12                    | kernel is 6.12.1, not kernel>6.12
                    kernel>6.12.0                  |
                    kernel<=6.12                   |
                    kernel<6.12                    | kernel is 6.12.1, not kernel<6.12
                    kernel<6.100                   |
                    kernel<10                      |
                    arch=x86_64                    |
                    arch=aarch64                   | arch is x86_64, not arch=aarch64
                    host=kunpeng                   |
                    host!=kunpeng                  | host is kunpeng, not host!=kunpeng
                    host=kun                       | host is kunpeng, not host=kun
                    cpus>=64                       |
                    cpus>64                        | cpus is 64, not cpus>64
                    cpus<100                       |
                    nodes=4                        |
                    nodes>4                        | nodes is 4, not nodes>4
                    virtual=false                  |
                    virtual=true                   | virtual is false, not virtual=true
                    label.rack=b                   |
                    label.rack!=c                  |
                    label.rack=c                   | label.rack is b, not label.rack=c
                    label.rak=b                    | it has no label.rak, but label.rack
                    label.zone=x and arch=aarch64  | it has no label.zone; arch is x86_64, not arch=aarch64
                    label.zone!=x                  |
                    kernel >= 6.9  and  cpus = 64  |
                    kernel>7 and cpus=64 and nodes=1 | kernel is 6.12.1, not kernel>7; nodes is 4, not nodes=1
                    """)
    void saysWhichTermsFail(String selector, String whyNot) throws CampaignException {
        assertThat(Machines.selector(selector).whyNot(HOST).orElse(null)).isEqualTo(whyNot);
    }

    @ParameterizedTest
    @CsvSource({"5.15.0-91-generic,5.15,''", "6.15-rc3,6.15,''", "6.15,6.15.0,''", "next,6.15,kernel is next"})
    void readsTheNumbersThatAReleaseBeginsWith(String release, String atLeast, String whyNot) throws CampaignException {
        HostProfile host = Machines.host("h", release, Machines.D35_KUNPENG916);

        assertThat(Machines.selector("kernel>=" + atLeast).whyNot(host).orElse(""))
                .startsWith(whyNot);
    }

    @Test
    void countsOnlyNodesThatHaveAUsableCpu() throws CampaignException {
        Selector one = Machines.selector("nodes=1");

        assertThat(one.whyNot(Machines.host("memory-only nodes", "6.12", Machines.D07_GRACE_HOPPER)))
                .isEmpty();
        assertThat(one.whyNot(Machines.host("cpuset in one node", "6.12", Machines.D17_CPUSET)))
                .isEmpty();
    }
}
