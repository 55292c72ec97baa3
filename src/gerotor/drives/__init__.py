"""Electric drives and reductions, one component a file.

Motor side: torque tau and speed w in N*m and rad/s. Joint side: force F and velocity v, in N*m
and rad/s at a revolute joint, in N and m/s at a slide.
"""
